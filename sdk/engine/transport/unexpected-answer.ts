import type { TransportResponse } from './transport.js'

/**
 * A 2xx answer is not the requested object, for example because a proxy answered in place of the API server. It is then
 * unknown whether a write was done, so the write is retried. The message contains no part of the body except names of
 * kinds.
 */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'

  /**
   * @param call the call in words, such as `PUT configmaps default/greeting`
   * @param problem what is wrong with the answer, as the end of a sentence that begins with the answer
   */
  constructor(call: string, { status, headers, body }: TransportResponse, problem: string) {
    const type = plain(headers['content-type']?.split(';')[0]) ?? 'without a content type'
    super(
      `${call}: the server answered ${status} (${type}, ${body.byteLength} bytes), ${problem}. ` +
        'Something in between may have answered in place of the Kubernetes API server: check the server URL, and the ' +
        'proxies and load balancers on the way. The call will be tried again.',
    )
  }
}

/** A short text of harmless characters, which may be quoted; else undefined. */
export function plain(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.+/-]{1,80}$/.test(text) ? text : undefined
}
