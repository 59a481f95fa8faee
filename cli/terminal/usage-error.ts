/** Error for wrong arguments; its message has no full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
