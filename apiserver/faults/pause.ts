import type { ServerClock } from '../base/clock.js'

/** Resolves as soon as one of the signals aborts. */
export function untilAborted(signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', done, { once: true })
    if (signals.some(({ aborted }) => aborted)) done()
  })
}

/** Resolves after `delayMs`, or as soon as one of the signals aborts. */
export async function pause(
  clock: ServerClock,
  delayMs: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  const over = new AbortController()
  const cancel = clock.schedule(delayMs, () => over.abort())
  await untilAborted([...signals, over.signal])
  cancel()
}
