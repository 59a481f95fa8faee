import { ApiError } from '../../sdk/engine/kube/error.js'
import type { ApiRequest, UserInfo } from '../request/request.js'
import { requestInfo } from '../request/request-info.js'
import { type Verb, verbOf } from '../request/verb.js'

/** A request for fault rules. Members that do not apply are `''`. */
export interface FaultedRequest {
  /** HTTP method. */
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** The verb of RBAC, or the lower-case method if the path names no resource. */
  readonly verb: Verb | (string & {})
  readonly group: string
  /** Plural. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** The object's name in the URL; a create has none. */
  readonly name: string
  /** The caller's name; `''` for an unknown one. */
  readonly user: string
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Selects the requests of a fault rule: every given member must match; `{}` matches every request. */
export type FaultMatch = {
  readonly [Field in Exclude<keyof FaultedRequest, 'headers'>]?: string | RegExp
} & {
  /** An additional condition. */
  readonly where?: (request: FaultedRequest) => boolean
}

/** Converts a request for fault rules. */
export function toFaultedRequest(request: ApiRequest, user: UserInfo | undefined): FaultedRequest {
  const { method, path, headers = {} } = request
  const info = requestInfo(path)
  const { group = '', plural = '', subresource = '', namespace = '', name = '' } = info.target ?? {}
  const verb =
    info.target === undefined ? method.toLowerCase() : verbFor(method, { ...info, target: info.target })
  return {
    method,
    path,
    verb,
    group,
    resource: plural,
    subresource,
    namespace,
    name,
    user: user?.name ?? '',
    headers,
  }
}

function verbFor(method: string, about: Parameters<typeof verbOf>[1]): string {
  try {
    return verbOf(method, about)
  } catch (error) {
    // A method that is not allowed has no verb.
    if (error instanceof ApiError) return method.toLowerCase()
    throw error
  }
}

/** Whether a rule matches a request. */
export function matchesRequest({ where, ...fields }: FaultMatch, request: FaultedRequest): boolean {
  const texts = Object.entries(fields) as [
    Exclude<keyof FaultedRequest, 'headers'>,
    string | RegExp | undefined,
  ][]
  return texts.every(([field, desired]) => matchesText(desired, request[field])) && (where?.(request) ?? true)
}

function matchesText(desired: string | RegExp | undefined, text: string): boolean {
  if (desired === undefined) return true
  // `search` ignores the state of a sticky or global expression.
  return typeof desired === 'string' ? desired === text : text.search(desired) >= 0
}
