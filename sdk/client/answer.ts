import { ApiError, type Status } from '../kube/error.js'
import { parseJson } from '../kube/json.js'
import type { TransportResponse } from '../transport/transport.js'

// The reasons client-go gives to an answer without a Status (apimachinery pkg/api/errors, NewGenericServerResponse).
const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * The JSON of a 2xx answer; any other answer throws `ApiError`.
 *
 * @param call what was asked, in words such as `PUT configmaps default/greeting`: it begins each message made
 *   here. No message made here carries any part of the body, which may be a Secret's.
 */
export function readAnswer(call: string, response: TransportResponse): unknown {
  const body = parseOrUndefined(response.body)
  if (response.status >= 300) throw new ApiError(statusOf(call, response, body))
  if (body !== undefined) return body
  throw new Error(
    `${call}: the API server answered ${response.status} with a body that is not JSON. ` +
      'Check that the server URL is that of a Kubernetes API server.',
  )
}

function statusOf(call: string, response: TransportResponse, body: unknown): Status {
  const status = isStatus(body) ? { ...body, code: body.code ?? response.status } : madeUp(call, response)
  const retryAfterSeconds = Number(response.headers['retry-after'] ?? Number.NaN)
  if (!Number.isFinite(retryAfterSeconds) || status.details?.retryAfterSeconds) return status
  return { ...status, details: { ...status.details, retryAfterSeconds } }
}

function madeUp(call: string, { status }: TransportResponse): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason: reasons[status] ?? (status >= 500 ? 'InternalError' : 'Unknown'),
    message: `${call}: the server answered ${status} without saying why; a proxy in between may have answered.`,
  }
}

/** Whether a parsed answer is a `meta/v1 Status` rather than an object. */
export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status'
}

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes)
  } catch {
    // The parser's message quotes the text, which may be a Secret; the caller says what matters.
    return undefined
  }
}
