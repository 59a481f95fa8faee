import { apiErrorOf, parseOrUndefined } from '../transport/refusal.js'
import type { TransportResponse } from '../transport/transport.js'
import { UnexpectedAnswerError } from '../transport/unexpected-answer.js'

/**
 * The JSON object of a 2xx answer, if it is what was asked for; else throws `UnexpectedAnswerError`, and for any other
 * status `ApiError`.
 *
 * @param call what was asked, in words such as `PUT configmaps default/greeting`: it begins each message made
 *   here. No message made here carries any part of the body, which may be a Secret's.
 * @param problemOf what is wrong with an answer; `undefined` for nothing
 */
export function readAnswer(
  call: string,
  response: TransportResponse,
  problemOf: (answer: object) => string | undefined,
): object {
  if (response.status >= 300) throw apiErrorOf(call, response)
  const body = parseOrUndefined(response.body)
  if (typeof body !== 'object' || body === null)
    throw new UnexpectedAnswerError(call, response, 'which is not a JSON object')
  const problem = problemOf(body)
  if (problem !== undefined) throw new UnexpectedAnswerError(call, response, problem)
  return body
}
