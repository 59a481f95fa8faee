import { ApiError, type Status } from '../kube/error.js'
import { parseJson } from '../kube/json.js'
import type { TransportResponse } from './transport.js'

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
 * The error of a response that is not 2xx: the server's Status, or if a proxy answered without one, a Status made from
 * the HTTP status. `Retry-After` becomes `details.retryAfterSeconds`, unless the Status has a valid one.
 *
 * @param call the call in words, such as `PUT configmaps default/greeting`, with which a message made here begins. The
 *   message contains no part of the body.
 */
export function apiErrorOf(call: string, response: TransportResponse): ApiError {
  const body = parseOrUndefined(response.body)
  const status = isStatus(body)
    ? { ...body, code: body.code ?? response.status }
    : statusFromHttp(call, response)
  const retryAfterSeconds = waitSeconds(Number(response.headers['retry-after']))
  if (retryAfterSeconds === 0 || waitSeconds(status.details?.retryAfterSeconds) > 0)
    return new ApiError(status)
  return new ApiError({ ...status, details: { ...status.details, retryAfterSeconds } })
}

/** How long the server asked to wait before a retry, in milliseconds, at most 60,000; 0 if it did not ask. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? waitSeconds(error.status.details?.retryAfterSeconds) * 1000 : 0
}

/** The longest wait that a server may ask for, in seconds. Otherwise it could stop a watch for good. */
const maxWaitSeconds = 60

/** A number of seconds from a server; 0 for anything else, which may be any JSON. */
function waitSeconds(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, maxWaitSeconds) : 0
}

/** Whether a parsed answer is a `meta/v1 Status` rather than an object. */
export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status'
}

/** The JSON value of a body; `undefined` if the body is not JSON. */
export function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The answer of an API server to a path that it does not serve, such as that of a kind without a definition. */
const unknownPath = '404 page not found'

function statusFromHttp(call: string, { status, body }: TransportResponse): Status {
  const isUnknown = status === 404 && Buffer.from(body).toString('latin1').trim() === unknownPath
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason: reasons[status] ?? (status >= 500 ? 'InternalError' : 'Unknown'),
    message: isUnknown
      ? `${call}: the API server does not serve this path; install the definition of the kind, or correct its group, version and plural.`
      : `${call}: the server answered ${status} without saying why; a proxy in between may have answered.`,
  }
}
