/** Options of {@link until}. */
export interface UntilOptions {
  /** Default 120 s: more than anything takes on a busy machine, and less than the time limit of a test file. */
  withinMs?: number
  /** The time between two looks; default 50 ms. */
  everyMs?: number
}

/**
 * Waits until a condition of a running program is true. A condition that throws is not true yet. Fails after a time
 * with the text of the condition and its last error.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { withinMs = 120_000, everyMs = 50 }: UntilOptions = {},
): Promise<void> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const error = await errorOf(isTrue)
    if (error === undefined) return
    if (performance.now() > endMs)
      throw new Error(`not true within ${withinMs / 1000} s: ${isTrue}`, { cause: error })
    await new Promise((resolve) => setTimeout(resolve, everyMs))
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
