import { resolve } from 'node:path'
import type { Metafile } from 'esbuild'

/** The sizes of a bundle. */
export interface BundleSizes {
  /** Size of the file that Node runs and of the parts that it imports statically. */
  startBytes: number
  /** Size of all modules. */
  bytes: number
}

type Outputs = Metafile['outputs']

/**
 * The sizes of a bundle from esbuild's outputs; `first` are the absolute paths of the files that Node reads
 * at start.
 */
export function sizesOf(outputs: Outputs, first: readonly string[]): BundleSizes {
  const modules = Object.keys(outputs).filter((path) => path.endsWith('.mjs'))
  const atStart = new Set(modules.filter((path) => first.includes(resolve(path))))
  for (const path of atStart)
    for (const importedPath of importedAtOnce(outputs, path)) atStart.add(importedPath)
  return { startBytes: sumOf(outputs, [...atStart]), bytes: sumOf(outputs, modules) }
}

const sumOf = (outputs: Outputs, paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0)

function importedAtOnce(outputs: Outputs, path: string): string[] {
  const imports = outputs[path]?.imports ?? []
  return imports.filter(({ kind, external }) => kind === 'import-statement' && !external).map((to) => to.path)
}
