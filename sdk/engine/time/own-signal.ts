import { setMaxListeners } from 'node:events'

/**
 * Does work with its own `AbortController`, which `signal` aborts as well while the work lasts. It replaces
 * `AbortSignal.any`, which on Node 20 leaks memory for each call on a signal that lives longer.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortController) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const onAbort = () => own.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  // Many calls, watches and runs listen to one signal; Node would report eleven listeners as a leak.
  setMaxListeners(0, own.signal, ...(signal ? [signal] : []))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(own)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
