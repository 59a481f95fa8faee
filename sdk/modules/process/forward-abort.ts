import type { Clock } from '../../engine/time/clock.js'

/** The two steps after an abort. The texts are the reason, and a clause that says what did not happen. */
export interface AbortSteps {
  readonly clock: Clock
  readonly limitMs: number
  onAbort(reason: string): void
  onLate(why: string): void
}

/** Calls back when a signal is aborted, and again some time later. Returns a function that stops both. */
export function forwardAbort(
  signal: AbortSignal,
  { clock, limitMs, onAbort, onLate }: AbortSteps,
): () => void {
  let cancel = () => {}
  const aborted = () => {
    const reason = signal.reason instanceof Error ? signal.reason.message : String(signal.reason)
    onAbort(reason)
    cancel = clock.schedule(limitMs, () =>
      onLate(`did not end within ${limitMs / 1_000} s after its signal was aborted (${reason})`),
    )
  }
  signal.addEventListener('abort', aborted, { once: true })
  return () => {
    signal.removeEventListener('abort', aborted)
    cancel()
  }
}
