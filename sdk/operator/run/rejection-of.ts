import { ApiError } from '../../engine/kube/error.js'
import { memberOf } from '../../engine/kube/json-object.js'
import { withoutDifference } from '../../engine/kube/without-objects.js'
import { IntentError } from '../apply/intent-error.js'

/** The status codes of an API server that rejects what was sent, and will do so again. */
const rejectionCodes: ReadonlySet<number> = new Set([400, 413, 422])

/** A rejection by an API server, in words that stay the same with each attempt. */
export interface Rejection {
  /** For a condition. */
  readonly message: string
  /** For an Event, which may differ with each attempt. */
  readonly event: string
}

/**
 * Reads the rejection from an error; undefined for any other error. A message of an API server may quote values, which
 * may be long, differ with each attempt, or be secret. So only the fields are named, with the rule that they break.
 */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof ApiError) || !rejectionCodes.has(error.code)) return undefined
  const { kind = '', name = '', group = '', causes } = error.status.details ?? {}
  const object = [group === '' ? kind : `${kind}.${group}`, name].filter((part) => part !== '').join(' ')
  const begin = `the API server rejects ${object || 'a request'}`
  // Any server may have written them.
  const all: readonly unknown[] = Array.isArray(causes) ? causes : []
  const fields = all.map((cause) => `${fieldOf(cause)}: ${ruleOf(memberOf(cause, 'message'))}`)
  if (fields.length > 0) return withEvent(`${begin}: ${[...new Set(fields)].join('; ')}`)
  const isSecret = kind === '' || /^secrets?$/i.test(kind)
  const message = `${begin} with ${error.code} ${error.reason}`.trimEnd()
  return isSecret
    ? withEvent(`${message}; see the log of the operator`)
    : { message: `${message}; see the Events of the object`, event: `${begin}: ${error.message}` }
}

/** Whether a write was refused because of its content, so that the same write would be refused again. */
export function isRefused(error: unknown): boolean {
  return error instanceof IntentError || rejectionOf(error) !== undefined
}

const withEvent = (message: string): Rejection => ({ message, event: message })

function fieldOf(cause: unknown): string {
  const field = memberOf(cause, 'field')
  return typeof field === 'string' ? field : 'the object'
}

/** The part of a cause that quotes no value. See `field.Error` of k8s.io/apimachinery. */
function ruleOf(message: unknown): string {
  if (typeof message !== 'string') return 'is invalid'
  const [, kind, rest = ''] = /^(Invalid|Duplicate|Unsupported) value(.*)$/s.exec(message) ?? []
  if (kind === undefined) return withoutDifference(message)
  const detail = kind === 'Invalid' ? /^: .*: ([^:"]+)$/s.exec(rest)?.[1] : undefined
  return detail ?? `${kind} value`
}
