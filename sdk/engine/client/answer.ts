import { apiErrorOf, parseOrUndefined } from '../transport/refusal.js'
import type { TransportResponse } from '../transport/transport.js'
import { UnexpectedAnswerError } from '../transport/unexpected-answer.js'

/**
 * Returns the JSON object of a 2xx answer. Throws `UnexpectedAnswerError` if a 2xx answer is not the expected object,
 * and `ApiError` for any other status.
 *
 * @param call returns the call in words, such as `PUT configmaps default/greeting`, with which each error message
 *   begins. No message contains any part of the body, which may be a Secret's.
 * @param problemOf returns what is wrong with an answer; `undefined` if nothing is
 */
export function readAnswer(
  call: () => string,
  response: TransportResponse,
  problemOf: (answer: object) => string | undefined,
): object {
  if (response.status >= 300) throw apiErrorOf(call(), response)
  const body = parseOrUndefined(response.body)
  if (typeof body !== 'object' || body === null)
    throw new UnexpectedAnswerError(call(), response, 'which is not a JSON object')
  const problem = problemOf(body)
  if (problem !== undefined) throw new UnexpectedAnswerError(call(), response, problem)
  return body
}
