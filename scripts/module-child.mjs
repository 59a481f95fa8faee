#!/usr/bin/env node
// Generates a module with the code of the processes of programs, from sdk/modules/process/child, as one text. With the
// module, a package or bundle needs no other files. A test compares the module with its sources.
//
//   node scripts/module-child.mjs [--print]
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const room = new URL('../sdk/modules/process/', import.meta.url)
const made = new URL('gen/child-code.ts', room)

async function moduleText() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('child/main.ts', room))],
    absWorkingDir: fileURLToPath(room),
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
  return `// Made by \`npm run module-child\` from sdk/modules/process/child.
/** The code of the process of a program, an ES module. */
export const childCode = ${JSON.stringify(outputFiles[0].text)}
`
}

if (process.argv.includes('--print')) process.stdout.write(await moduleText())
else await writeFile(made, await moduleText())
