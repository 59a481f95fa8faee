/** An attempt of a call that ended without an answer. `retry.ts` decides by it whether the call is sent again. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt'
  /** Whether any part of the request may have reached the server. */
  readonly sent: boolean

  constructor(cause: unknown, { sent }: { sent: boolean }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }

  /** The system's or the protocol's name for what went wrong, for example `ECONNRESET`; `''` if there is none. */
  get code(): string {
    return this.cause instanceof Error && 'code' in this.cause ? String(this.cause.code) : ''
  }
}

/** Converts the headers of an answer to one text each; repeated headers are joined by a comma. */
export function flattenHeaders(headers: Record<string, unknown>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (name.charCodeAt(0) !== 58) flat[name] = Array.isArray(value) ? value.join(', ') : String(value)
  }
  return flat
}
