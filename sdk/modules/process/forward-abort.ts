import type { Clock } from '../../engine/time/clock.js'

/**
 * The two callbacks of an abort: `onAbort` gets the reason; `onLate`, after `limitMs`, a clause that says what is late.
 */
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
