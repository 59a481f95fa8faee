import { setMaxListeners } from 'node:events'

/**
 * Does work with a controller of its own that `signal` aborts, too, for as long as the work lasts. In place of
 * `AbortSignal.any`, which on Node 20 leaves something behind at a signal that lives on, and for ever where somebody still
 * listens.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortController) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const onAbort = () => own.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  // As many wait under one signal as there are calls, watches and runs; Node would take eleven for a leak.
  setMaxListeners(0, own.signal, ...(signal ? [signal] : []))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(own)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
