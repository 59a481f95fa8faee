import { ApiError } from '../../sdk/engine/kube/error.js'
import { type Finding, finding } from './finding.js'

/** The findings of one part, or one that says that it could not be read. */
export async function findingsIfReadable(check: string, read: () => Promise<Finding[]>): Promise<Finding[]> {
  const findings = await orRefusal(read())
  return findings instanceof ApiError ? [unreadable(check, findings)] : findings
}

/** The error of a part that the API server refused, as its value. */
export async function orRefusal<T>(reading: Promise<T>): Promise<T | ApiError> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The finding about a part that could not be read: it is skipped only if the credentials may not read it. */
export const unreadable = (check: string, { code, message }: ApiError): Finding =>
  code === 401 || code === 403
    ? finding(check, 'skipped', `${message}; use credentials that may do this`)
    : finding(check, 'failed', `${message}; try again, and look into the log of the API server if it stays`)
