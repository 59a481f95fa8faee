/** Whether this program runs from the sources of a clone, not from a package. */
export const runsFromSources = import.meta.url.endsWith('.ts')

/**
 * The flags of Node for a process that runs a user's program, which may be TypeScript, and reports the lines of its
 * sources.
 */
export function typescriptFlags(): string[] {
  const user = ['--enable-source-maps', '--import', import.meta.resolve('tsx')]
  if (!runsFromSources) return user
  // It loads the sources of the clone in less time than tsx, and leaves other files to tsx.
  const sources = new URL('../../scripts/load-typescript.mjs', import.meta.url).href
  return ['--conditions=vcluster-plugin-sdk:source', ...user, '--import', sources]
}
