/** A git server did not answer as git's protocol says, or has not what was asked for. */
export class GitError extends Error {
  override readonly name = 'GitError'
}

/** The text of a server as a part of a message: one short line. */
export function saidBy(server: Uint8Array): string {
  const text = Buffer.from(server).toString('utf8')
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
}
