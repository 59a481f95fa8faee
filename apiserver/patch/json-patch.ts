import { ApiError } from '../../sdk/engine/kube/error.js'
import { cloneJson, jsonEqual, stringifyJson } from '../../sdk/engine/kube/json.js'
import { MAX_BODY_BYTES } from '../request/body.js'
import { failure, tooLarge } from '../request/status.js'

/** One step of a JSON patch. */
interface Operation {
  readonly op?: unknown
  readonly path?: unknown
  readonly from?: unknown
  readonly value?: unknown
}

/** The maximum number of operations of a patch, as on a real server. */
const MAX_OPERATIONS = 10_000

interface Root {
  document: unknown
  /** The number of characters that `copy` operations have created so far. */
  copied: number
}

type Container = Record<string, unknown> | unknown[]

/** 422 without the failed operation, as on the real server. */
function rejected() {
  const message = 'the server rejected our request due to an error in our request'
  return failure(422, message, { reason: 'Invalid', details: {} })
}

/** The error of a patch whose `test` does not hold; to a client it is the error of any wrong patch. */
export class FailedTest extends ApiError {}

/**
 * Applies a JSON patch (RFC 6902) to a copy of a document. It is our own code because keys such as
 * `__proto__` and integers beyond 2^53 must survive. Throws 422 if an operation fails, or if repeated copies
 * exceed the size of a request, and 413 for too many operations.
 */
export function applyJsonPatch(document: unknown, operations: readonly Operation[]): unknown {
  if (operations.length > MAX_OPERATIONS) {
    const found = `got ${operations.length}`
    throw tooLarge(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, ${found}`,
    )
  }
  const root: Root = { document: cloneJson(document), copied: 0 }
  for (const operation of operations) applyOperation(root, operation)
  return root.document
}

function applyOperation(root: Root, operation: Operation): void {
  const path = pointer(operation.path)
  // The library of a real server supports only `replace` and `test` of the whole document.
  const isWhole = path.length === 1 && operation.op !== 'replace' && operation.op !== 'test'
  if (isWhole) throw rejected()
  switch (operation.op) {
    case 'add':
      put(root, path, cloneJson(operation.value ?? null))
      break
    case 'replace':
      if (path.length === 1 && !isContainer(memberValue(operation))) throw rejected()
      replace(root, path, cloneJson(memberValue(operation)))
      break
    case 'remove':
      take(root, path)
      break
    case 'test':
      if (!jsonEqual(readOrNull(root, path), operation.value ?? null)) throw new FailedTest(rejected().status)
      break
    case 'copy':
      put(root, path, copyOf(root, copied(root, pointer(operation.from))))
      break
    case 'move': {
      const from = pointer(operation.from)
      const value = read(root, from)
      take(root, from)
      put(root, path, value)
      break
    }
    default:
      throw rejected()
  }
}

function copyOf(root: Root, value: unknown): unknown {
  root.copied += stringifyJson(value).length
  if (root.copied > MAX_BODY_BYTES) throw rejected()
  return cloneJson(value)
}

function memberValue(operation: Operation): unknown {
  if (!('value' in operation)) throw rejected()
  return operation.value
}

/** A JSON pointer (RFC 6901) as keys below the root's `document`. */
function pointer(path: unknown): string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) throw rejected()
  const keys = path.split('/').slice(1)
  return ['document', ...keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))]
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function member(container: unknown, key: string): unknown {
  if (!isContainer(container) || !Object.hasOwn(container, key)) throw rejected()
  return (container as Record<string, unknown>)[key]
}

function read(root: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(member, root)
}

/** The library copies null if the object does not have the member. */
function copied(root: object, path: readonly string[]): unknown {
  const parent = read(root, path.slice(0, -1))
  return Array.isArray(parent) ? read(root, path) : readOrNull(root, path)
}

function readOrNull(root: object, path: readonly string[]): unknown {
  const parent = read(root, path.slice(0, -1))
  const key = path.at(-1) ?? ''
  return isContainer(parent) && Object.hasOwn(parent, key) ? member(parent, key) : null
}

function place(root: object, path: readonly string[]): { parent: Container; key: string } {
  const parent = read(root, path.slice(0, -1))
  if (!isContainer(parent)) throw rejected()
  return { parent, key: path.at(-1) ?? '' }
}

function arrayIndex(key: string, limit: number): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > limit) throw rejected()
  return Number(key)
}

function put(root: object, path: readonly string[], value: unknown): void {
  const { parent, key } = place(root, path)
  if (Array.isArray(parent)) {
    parent.splice(key === '-' ? parent.length : arrayIndex(key, parent.length), 0, value)
  } else define(parent, key, value)
}

function replace(root: object, path: readonly string[], value: unknown): void {
  const { parent, key } = place(root, path)
  if (Array.isArray(parent)) parent[arrayIndex(key, parent.length - 1)] = value
  else define(parent, key, value)
}

/** Sets a member that may be called `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function take(root: object, path: readonly string[]): void {
  const { parent, key } = place(root, path)
  if (Array.isArray(parent)) parent.splice(arrayIndex(key, parent.length - 1), 1)
  else if (Object.hasOwn(parent, key)) delete parent[key]
  else throw rejected()
}
