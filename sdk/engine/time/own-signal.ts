import { setMaxListeners } from 'node:events'

/**
 * Runs work with its own `AbortController`. While the work lasts, `signal` aborts that controller, too. It replaces
 * `AbortSignal.any`, which on Node 20 leaks memory for each call with a long-lived signal.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  // Many calls, watches and runs listen to one signal; Node would report eleven listeners as a leak.
  setMaxListeners(0, controller.signal, ...(signal ? [signal] : []))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(controller)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
