import { apiErrorOf, parseOrUndefined } from '../transport/refusal.js'
import type { TransportResponse } from '../transport/transport.js'

/**
 * The JSON object of a 2xx answer; any other answer throws `ApiError`.
 *
 * @param call what was asked, in words such as `PUT configmaps default/greeting`: it begins each message made
 *   here. No message made here carries any part of the body, which may be a Secret's.
 */
export function readAnswer(call: string, response: TransportResponse): object {
  if (response.status >= 300) throw apiErrorOf(call, response)
  const body = parseOrUndefined(response.body)
  if (typeof body === 'object' && body !== null) return body
  throw new Error(
    `${call}: the API server answered ${response.status} with a body that is not a JSON object. ` +
      'Check that the server URL is that of a Kubernetes API server.',
  )
}
