/**
 * The places of the engine's files. `vcluster-plugin bundle` replaces this module, because it puts them next to its
 * parts.
 */

/** The WebAssembly module, if it was built. */
export const engineFile = new URL('./helm.wasm.br', import.meta.url)

/** The code of the worker thread. */
export const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './engine-thread.ts' : './engine-thread.js',
  import.meta.url,
)
