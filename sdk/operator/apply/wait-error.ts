/**
 * Ends a run early without a failure: the key runs again when the object that it waits for changes. Conditions that the
 * run has set are written, nothing is pruned.
 */
export class WaitError extends Error {
  override readonly name = 'WaitError'
  /** After this time the key runs again in any case, in milliseconds; default never. */
  readonly againMs: number | undefined

  constructor(message: string, { againMs }: { againMs?: number } = {}) {
    super(message)
    this.againMs = againMs
  }
}
