#!/usr/bin/env node
// Adds to a folder with a plugin's bundle what it takes to run inside vcluster's own container, which has neither
// Node nor the C library that Node is built for:
//
//   node scripts/in-syncer-runtime.mjs DIR     (DIR holds main.mjs)
//
// The running Node is copied with its dynamic loader and libraries to DIR/runtime, and DIR/plugin is the program that
// vcluster starts: a shell script that runs them. The Dockerfile calls this.
import { execFileSync } from 'node:child_process'
import { access, chmod, copyFile, mkdir, realpath, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'

const [dir] = process.argv.slice(2)
if (dir === undefined) fail('usage: node scripts/in-syncer-runtime.mjs DIR')
await access(join(dir, 'main.mjs')).catch(() => fail(`${dir} has no main.mjs; bundle the plugin there first`))

// `$0` is the path vcluster starts, so nothing here depends on where the folder was copied to. Node is run by its own
// loader, which finds the libraries beside it; for that reason a plugin must not start Node again by `process.execPath`,
// which is the loader's.
const launcher = `#!/bin/sh
here=\${0%/*}
exec "$here/runtime/loader" --library-path "$here/runtime" "$here/runtime/node" "$here/main.mjs" "$@"
`

const runtime = resolve(dir, 'runtime')
await mkdir(runtime, { recursive: true })
await copyExecutable(process.execPath, join(runtime, 'node'))
const { loader, libraries } = needs(process.execPath)
await copyExecutable(loader, join(runtime, 'loader'))
for (const library of libraries) await copyExecutable(library, join(runtime, basename(library)))
await writeFile(join(dir, 'plugin'), launcher)
await chmod(join(dir, 'plugin'), 0o755)
console.log(`${join(dir, 'plugin')}  Node ${process.versions.node}, ${libraries.length} libraries`)

/** The dynamic loader of a program and the libraries it loads, as `ldd` tells them. */
function needs(program) {
  if (process.platform !== 'linux') fail(`the folder can be made on Linux only, not on ${process.platform}`)
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n')
  const libraries = lines.map((line) => /=> (\/\S+)/.exec(line)?.[1]).filter((path) => path !== undefined)
  const loader = lines
    .map((line) => /^\s*(\/\S*ld-linux\S*)/.exec(line)?.[1])
    .find((path) => path !== undefined)
  if (loader === undefined)
    fail(`${program} is not built for glibc; run this with a Node from nodejs.org or Debian`)
  return { loader, libraries }
}

async function copyExecutable(from, to) {
  await copyFile(await realpath(from), to)
  await chmod(to, 0o755)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
