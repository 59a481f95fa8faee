import { isContainer, type JsonContainer, ownMember } from './json-object.js'
import { parseWithBigints, stringifyStepwise } from './lossless-json.js'

/**
 * JSON as the SDK reads, writes, copies and compares it.
 *
 * Everything that the API server can store survives: integers beyond 2^53 (they become `bigint`), `__proto__`
 * as a key, lone surrogates, and nesting deeper than the call stack. No function here recurses over a value,
 * and no error quotes the text it was given, because the text may be a Secret.
 */

/**
 * Numbers with so many digits that a double may not hold them (2^53 has 16), at places where JSON allows a
 * number. A match inside a string only costs time.
 */
const unsafeNumber = /[:,[\s-]\d{16}/
/** The pattern for a number that is the whole text. One pattern for both cases takes four times as long. */
const unsafeText = /^\d{16}/

/**
 * Reads a JSON text; bytes are taken as UTF-8. The last of two members with the same name wins, as in Go.
 * An integer beyond `Number.MAX_SAFE_INTEGER` in either direction is a `bigint`, every other number a
 * `number`. Throws a `SyntaxError` that says where, never what.
 */
export function parseJson(input: string | Uint8Array): unknown {
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  const value = parseNative(text)
  return unsafeNumber.test(text) || unsafeText.test(text) ? parseWithBigints(text) : value
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function parseNative(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : ` at position ${position}`
    throw new SyntaxError(`the text is not valid JSON${where} (${text.length} characters)`)
  }
}

/**
 * Writes a JSON value as `JSON.stringify` does (`undefined` members are left out), and a `bigint` as its
 * digits. Throws a `TypeError` for a value that contains itself or is not JSON.
 */
export function stringifyJson(value: unknown): string {
  return stringifyNative(value) ?? stringifyStepwise(value)
}

function stringifyNative(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // A bigint, or deeper than the call stack: the stepwise writer can do both, and explains what it cannot.
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** A deep copy of a JSON value; the original may be frozen, the copy never is. */
export function cloneJson<T>(value: T): T
export function cloneJson(value: unknown): unknown {
  if (!isContainer(value)) return value
  const copy = shallowCopy(value)
  const unfinished = [copy]
  for (let container = unfinished.pop(); container !== undefined; container = unfinished.pop()) {
    copyMembers(container, unfinished)
  }
  return copy
}

function shallowCopy(container: JsonContainer): JsonContainer {
  // Spread defines members and never assigns them, so a `__proto__` member stays a member.
  return Array.isArray(container) ? container.slice() : { ...container }
}

function copyMembers(container: JsonContainer, unfinished: JsonContainer[]): void {
  const members: Record<string | number, unknown> = container as Record<string, unknown>
  for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
    const member = members[key]
    if (!isContainer(member)) continue
    const copy = shallowCopy(member)
    members[key] = copy
    unfinished.push(copy)
  }
}

/** Freezes a JSON value and everything in it. A frozen value is assumed to be frozen deeply. */
export function freezeJson<T>(value: T): T {
  const unfrozen: unknown[] = [value]
  while (unfrozen.length > 0) {
    const member = unfrozen.pop()
    if (!isContainer(member) || Object.isFrozen(member)) continue
    for (const inner of Object.values(Object.freeze(member))) if (isContainer(inner)) unfrozen.push(inner)
  }
  return value
}

/**
 * Whether two values are the same JSON to the API server: order of members does not matter, a member that is
 * `undefined` is absent, `null` is not absent, `-0` is `0` and `1.0` is `1` (Go stores them alike), and a
 * `bigint` equals the number of the same value.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  return allEqual([a, b])
}

/** {@link jsonEqual} of two objects, ignoring top-level members with certain names. */
export function jsonEqualExcept(a: object, b: object, except: ReadonlySet<string>): boolean {
  const pairs: unknown[] = []
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>]
  return pushMembers(pairs, left, right, except) && allEqual(pairs)
}

function allEqual(pairs: unknown[]): boolean {
  while (pairs.length > 0) {
    const right = pairs.pop()
    const left = pairs.pop()
    if (isContainer(left) && isContainer(right)) {
      if (!pushMembers(pairs, left, right)) return false
    } else if (!scalarsEqual(left, right)) return false
  }
  return true
}

function scalarsEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left === 'bigint') return Number.isInteger(right) && BigInt(right as number) === left
  if (typeof right === 'bigint') return Number.isInteger(left) && BigInt(left as number) === right
  return false
}

const noNames: ReadonlySet<string> = new Set()

/** Queues the members of two containers for comparison; `false` if their names or lengths already differ. */
function pushMembers(
  pairs: unknown[],
  left: JsonContainer,
  right: JsonContainer,
  except: ReadonlySet<string> = noNames,
): boolean {
  if (left === right) return true
  if (Array.isArray(left) || Array.isArray(right)) return pushElements(pairs, left, right)
  for (const key of Object.keys(right)) {
    if (ownMember(right, key) !== undefined && ownMember(left, key) === undefined && !except.has(key))
      return false
  }
  for (const key of Object.keys(left)) {
    const member = left[key]
    if (member === undefined || except.has(key)) continue
    if (!pushPair(pairs, member, ownMember(right, key))) return false
  }
  return true
}

function pushElements(pairs: unknown[], left: JsonContainer, right: JsonContainer): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((element, index) => pushPair(pairs, element ?? null, right[index] ?? null))
}

function pushPair(pairs: unknown[], left: unknown, right: unknown): boolean {
  if (!isContainer(left) || !isContainer(right)) return scalarsEqual(left, right)
  pairs.push(left, right)
  return true
}
