import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The test files that cover a folder without test files of its own: of those that import its modules, directly or
 * through others, the nearest by path, and of these the ones with the shortest chain of imports. If it has a command
 * `name` of the CLI, also `name-command.test.ts`. Without any of these, the test files of the nearest folder above.
 * `files` has the text of every TypeScript file by its path.
 */
export function coveringTests(folder, files) {
  const paths = [...files.keys()].filter(isTest)
  const importing = [...importersAt(folder, files)].filter(([path]) => isTest(path))
  const nearest = most(importing, ([path]) => sharedFolders(path, folder))
  const shortest = most(nearest, ([, distance]) => -distance).map(([path]) => path)
  const isOfCommand = (path) => folder === `cli/${/([^/]+)-command\.test\.ts$/.exec(path)?.[1]}`
  const found = new Set([...shortest, ...paths.filter(isOfCommand)])
  return found.size > 0 ? [...found].sort() : testsAbove(folder, paths)
}

/** The TypeScript files of folders, with their texts, by their paths from a root. */
export function typeScriptFiles(root, folders) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  )
  const sources = paths.filter((path) => path.endsWith('.ts') && !/\/(node_modules|\.tap)\//.test(path))
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

const isTest = (path) => path.endsWith('.test.ts')

/** The files that import a folder's modules, with the number of imports in between. */
function importersAt(folder, files) {
  const importers = importersOf(files)
  const distances = new Map()
  let reached = [...files.keys()].filter((path) => path.startsWith(`${folder}/`))
  for (let distance = 0; reached.length > 0; distance++) {
    for (const path of reached) distances.set(path, distance)
    const next = reached.flatMap((path) => importers.get(path) ?? [])
    reached = [...new Set(next)].filter((path) => !distances.has(path))
  }
  return distances
}

/** The files that import a file, by its path. */
function importersOf(files) {
  const importers = new Map()
  for (const [path, text] of files)
    for (const [, specifier] of text.matchAll(/\b(?:from|import) ?\(?'(\.[^']+)\.js'/g)) {
      const imported = `${join(dirname(path), specifier)}.ts`
      importers.set(imported, [...(importers.get(imported) ?? []), path])
    }
  return importers
}

/** The elements of a list that have the greatest measure. */
function most(list, measure) {
  const greatest = list.reduce((found, one) => Math.max(found, measure(one)), Number.NEGATIVE_INFINITY)
  return list.filter((one) => measure(one) === greatest)
}

/** The number of folders that two paths begin with. */
function sharedFolders(path, other) {
  const [names, others] = [path.split('/'), other.split('/')]
  const differing = names.findIndex((name, at) => name !== others[at])
  return differing < 0 ? names.length : differing
}

function testsAbove(folder, paths) {
  const above = dirname(folder)
  if (above === folder) return []
  const tests = paths.filter((path) => dirname(path) === above)
  return tests.length > 0 ? tests.sort() : testsAbove(above, paths)
}
