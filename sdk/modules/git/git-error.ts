/** A git server did not answer as git's protocol says, or does not have the requested object. */
export class GitError extends Error {
  override readonly name = 'GitError'
}

/** A text of a server as one short line, for an error message. */
export function serverText(server: Uint8Array): string {
  const text = Buffer.from(server).toString('utf8')
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
}
