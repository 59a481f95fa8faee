#!/usr/bin/env node
// Generates a module with the code of the processes of programs, from sdk/modules/process/child, as one text, and one
// with that of the Pods that copy volumes, from sdk/modules/copier. With the modules, a package or bundle needs no
// other files. Tests compare each module with its sources.
//
//   node scripts/module-child.mjs [--print child|copier]
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const modules = new URL('../sdk/modules/', import.meta.url)
const programs = {
  child: {
    entry: 'process/child/main.ts',
    made: 'process/gen/child-code.ts',
    from: 'sdk/modules/process/child',
    name: 'childCode',
    about: 'The code of the process of a program, an ES module.',
  },
  copier: {
    entry: 'copier/main.ts',
    made: 'copier/gen/copier-code.ts',
    from: 'sdk/modules/copier',
    name: 'copierCode',
    about: 'The code of the Pods that copy a volume, an ES module.',
  },
}

async function moduleText({ entry, made, from, name, about }) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, modules))],
    absWorkingDir: fileURLToPath(new URL(made.split('/')[0], modules)),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  })
  return `// Made by \`npm run module-child\` from ${from}.
/** ${about} */
export const ${name} = ${JSON.stringify(outputFiles[0].text)}
`
}

const at = process.argv.indexOf('--print')
if (at >= 0) process.stdout.write(await moduleText(programs[process.argv[at + 1]]))
else
  for (const program of Object.values(programs))
    await writeFile(new URL(program.made, modules), await moduleText(program))
