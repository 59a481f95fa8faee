#!/usr/bin/env node
// Generates a module with the files of the inspector's page from sdk/engine/inspector/page: its program and the
// libraries that it uses as one script, its style with that of the charts, and the other files unchanged. With the
// module, a package or bundle needs no other files. A test compares the module with its sources.
//
//   node scripts/inspector-page.mjs [--print]
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const page = new URL('../sdk/engine/inspector/page/', import.meta.url)
const made = new URL('../sdk/engine/inspector/gen/page-files.ts', import.meta.url)

async function moduleText() {
  const files = {
    'index.html': await source('index.html'),
    'style.css': (await chartStyle()) + (await source('style.css')),
    'icon.svg': await source('icon.svg'),
    'app.js': await script(),
  }
  const members = Object.entries(files).map(
    ([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`,
  )
  return `// Made by \`npm run page\` from sdk/engine/inspector/page.
/** The files of the inspector's page, by name. */
export const pageFiles: Readonly<Record<string, string>> = {
${members.join('\n')}
}
`
}

const source = (name) => readFile(new URL(name, page), 'utf8')

const chartStyle = async () => `${await ofPackage('uplot/dist/uPlot.min.css')}\n`

const ofPackage = (name) => readFile(new URL(`../node_modules/${name}`, import.meta.url), 'utf8')

/** Their licences ask for that. */
async function notices() {
  const texts = ['preact', 'uplot'].map(async (name) => `${name}\n\n${await ofPackage(`${name}/LICENSE`)}`)
  return `/*!\n${(await Promise.all(texts)).map((text) => text.trim()).join('\n\n')}\n*/`
}

async function script() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app.tsx', page))],
    absWorkingDir: fileURLToPath(page),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    banner: { js: await notices() },
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

if (process.argv.includes('--print')) process.stdout.write(await moduleText())
else await writeFile(made, await moduleText())
