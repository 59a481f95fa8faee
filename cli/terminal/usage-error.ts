/** The command was called wrongly; its message is a sentence without the full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
