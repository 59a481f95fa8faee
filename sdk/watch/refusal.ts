import { ApiError, type Status } from '../kube/error.js'
import { parseJson } from '../kube/json.js'

/** An answer that is not 2xx. */
export interface Refusal {
  status: number
  /** Lower-case header names. */
  headers: Record<string, string>
  body: Uint8Array
}

/** What the API server said no with; a proxy's answer has no Status, so that the HTTP status must do. */
export function apiErrorOf({ status, headers, body }: Refusal): ApiError {
  const seconds = Number(headers['retry-after'])
  const answered: Status = { code: status, message: `the API server answered ${status}`, ...statusIn(body) }
  if (!(seconds > 0)) return new ApiError(answered)
  return new ApiError({ ...answered, details: { ...answered.details, retryAfterSeconds: seconds } })
}

function statusIn(body: Uint8Array): Status | undefined {
  try {
    const value = parseJson(body)
    const isStatus = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'
    return isStatus ? (value as Status) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** How long the server asked to be left alone, in milliseconds; 0 if it did not. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0
}
