import { posix } from 'node:path'
import { jsonProblem } from '../base/json-problem.js'
import { fieldMismatch, jsonTypeOf } from '../base/json-type.js'
import { badRequest } from '../request/status.js'

/** The place where a page of a list starts. */
export interface Start {
  /** The revision of the page. */
  readonly revision: number
  /** The key after which the page starts. */
  readonly after: string
}

const tokenVersion = 'meta.k8s.io/v1'

/** The token of the page that starts there. */
export function writeToken(revision: number, after: string): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start: after })).toString('base64url')
}

/** Reads a token as `pkg/storage/continue.go` of k8s.io/apiserver v0.36.3 does. Throws 400. */
export function readToken(token: string): Start {
  const { v: version = '', rv: revision = 0, start: after = '' } = membersOf(token)
  if (typeof version !== 'string') throw mistypedError('v', version, 'string')
  if (!Number.isInteger(revision)) throw mistypedError('rv', revision, 'int64')
  if (typeof after !== 'string') throw mistypedError('start', after, 'string')
  if (version !== tokenVersion)
    throw invalidError(`: server does not recognize this encoded version ${version}`)
  if (revision === 0)
    throw invalidError(`: incorrect encoded start resourceVersion (version ${tokenVersion})`)
  if (after === '') throw invalidError(`: encoded start key empty (version ${tokenVersion})`)
  const path = after.startsWith('/') ? after : `/${after}`
  if (posix.normalize(path) !== path || path.endsWith('/')) throw invalidError(`: ${after}`)
  return { revision: Number(revision), after }
}

function membersOf(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const bytes = Buffer.from(token, 'base64url')
  const problem = jsonProblem(bytes)
  if (problem !== undefined) throw invalidError(`: ${problem}`)
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  if (typeof value === 'object' && !Array.isArray(value)) return withoutNulls(value ?? {})
  throw invalidError(
    `: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type storage.continueToken`,
  )
}

/** Go leaves a field as it is where the JSON has null. */
function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

function mistypedError(field: string, value: unknown, type: string) {
  return invalidError(`: ${fieldMismatch(value, `continueToken.${field}`, type)}`)
}

const invalidError = (why: string) => badRequest(`invalid continue token: continue key is not valid${why}`)
