// Removes the comments from the JavaScript of a build:  node scripts/strip-comments.mjs dist
//
// Editors show those of the declarations, which stay. Legal comments stay too.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv } from 'node:process'
import { transform } from 'esbuild'

const options = { loader: 'js', format: 'esm', target: 'esnext', charset: 'utf8', legalComments: 'inline' }

async function strip(path) {
  const { code } = await transform(readFileSync(path, 'utf8'), options)
  writeFileSync(path, code)
}

const dist = resolve(argv[2] ?? 'dist')
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
await Promise.all(files.map((path) => strip(join(dist, path))))
