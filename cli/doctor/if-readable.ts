import { ApiError } from '../../sdk/engine/kube/error.js'
import { type Finding, finding } from './finding.js'

/** The findings of one part, or one that says that the credentials may not read it. */
export async function findingsIfReadable(check: string, read: () => Promise<Finding[]>): Promise<Finding[]> {
  const findings = await orRefusal(read())
  return findings instanceof ApiError ? [unreadable(check, findings)] : findings
}

/** The error of a part that the credentials may not read, as its value. */
export async function orRefusal<T>(reading: Promise<T>): Promise<T | ApiError> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The finding about a part that the credentials may not read. */
export const unreadable = (check: string, { message }: ApiError): Finding =>
  finding(check, 'skipped', `${message}; use credentials that may do this`)
