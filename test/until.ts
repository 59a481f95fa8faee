/** Options of {@link until}. */
export interface UntilOptions {
  /** The condition in words, for the error; default its source text. */
  what?: string
  /**
   * Default 120 s, or `UNTIL_SECONDS`: more than anything takes on a busy machine, and less than the time limit of a
   * test file.
   */
  withinMs?: number
  /** The time between two looks, default 50 ms; three times as long as a look takes if that is more. */
  everyMs?: number
}

/**
 * Waits until a condition of a running program is true. A condition that throws is not true yet. Fails after a time
 * with the text of the condition and its last error.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  {
    what = String(isTrue),
    withinMs = 1000 * Number(process.env.UNTIL_SECONDS ?? 120),
    everyMs = 50,
  }: UntilOptions = {},
): Promise<void> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const beganMs = performance.now()
    const error = await errorOf(isTrue)
    if (error === undefined) return
    const nowMs = performance.now()
    if (nowMs > endMs) throw new Error(`not true within ${withinMs / 1000} s: ${what}`, { cause: error })
    // Looks that start programs leave most of the processor time to what is awaited.
    const pauseMs = Math.max(everyMs, 3 * (nowMs - beganMs))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Why the condition is not true; undefined if it is. */
async function errorOf(isTrue: () => boolean | Promise<boolean>): Promise<unknown> {
  try {
    return (await isTrue()) ? undefined : 'the condition is false'
  } catch (error) {
    return error ?? 'it failed without an error'
  }
}
