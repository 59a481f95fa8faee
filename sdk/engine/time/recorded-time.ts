/**
 * The time until a recorded time, in milliseconds since 1970; 0 if it has come, or if it cannot be read. Nothing waits
 * for a time that is more than twice the wait away: the clock that recorded it was ahead.
 */
export function timeUntil(recordedMs: number, now: Date, { waitMs }: { readonly waitMs: number }): number {
  const leftMs = recordedMs - now.getTime()
  return leftMs > 0 && leftMs <= 2 * waitMs ? leftMs : 0
}
