#!/usr/bin/env node
// Bundles a plugin and everything it imports into one file that needs nothing but Node:
//
//   node scripts/bundle.mjs [ENTRY] [OUTFILE]
//
// ENTRY is the plugin's program and defaults to the example's, OUTFILE to dist/plugin/main.mjs. The Dockerfile
// runs it. The result is not minified, so that stack traces can be read.
import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const [entry = 'examples/sync-all-configmaps/main.ts', outfile = 'dist/plugin/main.mjs'] =
  process.argv.slice(2)

// Packages in CommonJS call `require` and read `__dirname`, which a module does not have.
const banner = [
  "import { createRequire as bundleRequire } from 'node:module'",
  "import { fileURLToPath as bundlePath } from 'node:url'",
  'const require = bundleRequire(import.meta.url)',
  "const __filename = bundlePath(import.meta.url), __dirname = bundlePath(new URL('.', import.meta.url))",
].join(';')

await build({
  absWorkingDir: root,
  entryPoints: [resolve(entry)],
  outfile: resolve(outfile),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['vcluster-plugin-sdk:source'],
  banner: { js: banner },
  // Licences that ask to travel along stand beside the bundle.
  legalComments: 'external',
  logLevel: 'warning',
})

const { size } = await stat(resolve(outfile))
console.log(`${relative(process.cwd(), resolve(outfile))}  ${Math.round(size / 1024)} KiB`)
