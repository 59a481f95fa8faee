/** A record of a release that cannot be read; the message says why. */
export class UnreadableReleaseError extends Error {
  override readonly name = 'UnreadableReleaseError'
}
