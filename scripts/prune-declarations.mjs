// Removes the declarations of a build that no entry point reaches:  node scripts/prune-declarations.mjs dist
//
// TypeScript writes one for each module, also for those of the command, which no program imports.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The declarations of the entry points, relative to the folder of a build. */
const entries = Object.values(exports).flatMap(({ types }) => (types ? [relative('dist', types)] : []))

/** An import of another file of the build; the compiler writes types that it found itself as `import("…")`. */
const imported = /(?:from|import)\s*\(?\s*["'](\.[^"']+)\.js["']/g

/** The declarations that these import, and those that they import in turn. */
function reached(files) {
  const found = new Set(files)
  for (const file of found)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(imported))
      found.add(resolve(dirname(file), `${specifier}.d.ts`))
  return found
}

const dist = resolve(argv[2] ?? 'dist')
const needed = reached(entries.map((entry) => join(dist, entry)))
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.d.ts') && !needed.has(join(dist, path))) rmSync(join(dist, path))
