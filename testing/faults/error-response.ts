import type { TransportResponse } from '../../sdk/engine/transport/transport.js'

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** The response of an API server that answers a request with an error status. */
export function errorResponse(code: number): TransportResponse {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'refused by the scenario',
    reason: reasons[code] ?? 'InternalError',
    code,
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (code === 429) headers['retry-after'] = '1'
  return { status: code, headers, body: Buffer.from(JSON.stringify(status)) }
}

/** The error that Node throws when a connection breaks before the answer arrives. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection'
  readonly code = 'ECONNRESET'

  constructor() {
    super('read ECONNRESET: the connection broke before the answer')
  }
}
