/** Whether this program runs from the sources of a clone, not from a package. */
export const runsFromSources = import.meta.url.endsWith('.ts')

/**
 * The flags of Node for a process that runs a user's program: Node can then load TypeScript, and stack traces have the
 * lines of the sources.
 */
export function typescriptFlags(): string[] {
  const flags = ['--enable-source-maps', '--import', import.meta.resolve('tsx')]
  if (!runsFromSources) return flags
  // This loader takes less time than tsx for the sources of the clone, and leaves other files to tsx.
  const sources = new URL('../../scripts/load-typescript.mjs', import.meta.url).href
  return ['--conditions=vcluster-plugin-sdk:source', ...flags, '--import', sources]
}
