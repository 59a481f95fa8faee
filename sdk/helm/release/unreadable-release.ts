/** A record of a release that cannot be read; the message says why. */
export class UnreadableReleaseError extends Error {
  override readonly name = 'UnreadableReleaseError'
}

/** The error about the Secret of a record: its namespace and its name, and the problem. */
export const unreadableSecret = (secret: string, cause: Error): UnreadableReleaseError =>
  new UnreadableReleaseError(
    `the Secret ${secret} cannot be read: ${cause.message}; restore the Secret, or delete it: objects that only it names ` +
      'then stay, delete them by hand',
    { cause },
  )
