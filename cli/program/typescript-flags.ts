import { fileURLToPath } from 'node:url'

/** Whether this program runs from the sources of a clone, not from a package. */
export const runsFromSources = import.meta.url.endsWith('.ts')

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/**
 * The flags of Node for a process that runs a user's program: Node can then load TypeScript, and stack traces have the
 * lines of the sources. `entry` is the absolute path of its module.
 */
export function typescriptFlags(entry = ''): string[] {
  const tsx = ['--import', import.meta.resolve('tsx')]
  if (!runsFromSources) return ['--enable-source-maps', ...tsx]
  // This loader takes less time than tsx for the sources of the clone, and leaves other files to tsx.
  const sources = ['--import', new URL('../../scripts/load-typescript.mjs', import.meta.url).href]
  const loaders = entry.startsWith(examples) ? sources : [...tsx, ...sources]
  return ['--conditions=vcluster-plugin-sdk:source', '--enable-source-maps', ...loaders]
}
