import { cloneJson, jsonEqual, stringifyJson } from '../json.js'
import { isContainer, type JsonContainer, memberOf, ownMember, setMember } from '../json-object.js'
import { FailedTestError, JsonPatchError } from './json-patch-error.js'
import type { JsonPatchOperation } from './operation.js'
import { parsePointer } from './pointer.js'

/** An operation as it was received, before any check. */
export type UncheckedOperation = { readonly [member in keyof JsonPatchOperation]?: unknown }

/** How strictly a patch is applied. */
export interface ApplyPatchOptions {
  /**
   * Whether a missing member counts as null, as in the library of a kube-apiserver: `replace` adds it, `copy` and
   * `test` read null, as `add` and `test` do if they have no value. Default: false, which is RFC 6902 and what the
   * library of CloudNativePG's operator does.
   */
  readonly missingIsNull?: boolean
  /**
   * The maximum number of characters that all `copy` operations may add: copies of copies grow fast. Default:
   * unlimited.
   */
  readonly maxCopiedCharacters?: number
}

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a document. Members such as `__proto__` and integers beyond 2^53 are
 * kept. Throws a {@link JsonPatchError} for the first operation that does not apply.
 */
export function applyPatch(
  document: unknown,
  operations: readonly UncheckedOperation[],
  options: ApplyPatchOptions = {},
): unknown {
  const patched = new PatchedDocument(document, options)
  for (const operation of operations) patched.apply(operation)
  return patched.document
}

/** A copy of a document, to which operations are applied one after the other. */
export class PatchedDocument {
  readonly #root: { document: unknown }
  readonly #missingIsNull: boolean
  readonly #maxCopied: number
  #copied = 0

  constructor(document: unknown, { missingIsNull = false, maxCopiedCharacters }: ApplyPatchOptions = {}) {
    this.#root = { document: cloneJson(document) }
    this.#missingIsNull = missingIsNull
    this.#maxCopied = maxCopiedCharacters ?? Number.POSITIVE_INFINITY
  }

  /** The document after the operations. */
  get document(): unknown {
    return this.#root.document
  }

  /** Applies one operation. Throws a {@link JsonPatchError} if it does not apply. */
  apply(operation: UncheckedOperation): void {
    try {
      this.#apply(operation, pathOf(operation.path))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { op, path } = operation
      const message = `${String(op)} of ${path === '' ? 'the document' : String(path)} does not apply: ${error.message}`
      throw error.isTest ? new FailedTestError(message) : new JsonPatchError(message)
    }
  }

  #apply(operation: UncheckedOperation, path: readonly string[]): void {
    if (operation.op === 'add') this.#put(path, cloneJson(this.#valueIn(operation)))
    else if (operation.op === 'replace') this.#replace(path, cloneJson(valueIn(operation)))
    else if (operation.op === 'remove') this.#take(path)
    else if (operation.op === 'test') this.#test(path, this.#valueIn(operation))
    else if (operation.op === 'copy') this.#put(path, this.#copyOf(pathOf(operation.from)))
    else if (operation.op === 'move') this.#move(pathOf(operation.from), path)
    else throw new Problem('the operation is unknown')
  }

  #test(path: readonly string[], value: unknown): void {
    if (!jsonEqual(this.#readOrNull(path), value)) throw new Problem('another value is there', true)
  }

  #valueIn(operation: UncheckedOperation): unknown {
    return this.#missingIsNull ? (operation.value ?? null) : valueIn(operation)
  }

  #copyOf(from: readonly string[]): unknown {
    const isItem = Array.isArray(this.#read(from.slice(0, -1)))
    const value = isItem ? this.#read(from) : this.#readOrNull(from)
    this.#copied += stringifyJson(value).length
    if (this.#copied > this.#maxCopied) throw new Problem('the copies are too large')
    return cloneJson(value)
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const value = this.#read(from)
    this.#take(from)
    this.#put(path, value)
  }

  #read(path: readonly string[]): unknown {
    return path.reduce<unknown>(read, this.#root)
  }

  #readOrNull(path: readonly string[]): unknown {
    if (!this.#missingIsNull) return this.#read(path)
    const parent = this.#read(path.slice(0, -1))
    const key = path.at(-1) ?? ''
    return memberOf(parent, Array.isArray(parent) && isIndex(key) ? Number(key) : key) ?? null
  }

  #parentOf(path: readonly string[]): { parent: JsonContainer; key: string } {
    const parent = this.#read(path.slice(0, -1))
    if (!isContainer(parent)) throw new Problem('its parent is not an object or a list')
    return { parent, key: path.at(-1) ?? '' }
  }

  #put(path: readonly string[], value: unknown): void {
    const { parent, key } = this.#parentOf(path)
    if (Array.isArray(parent))
      parent.splice(key === '-' ? parent.length : indexOf(key, parent.length), 0, value)
    else setMember(parent, key, value)
  }

  #replace(path: readonly string[], value: unknown): void {
    const { parent, key } = this.#parentOf(path)
    if (!this.#missingIsNull) read(parent, key)
    if (Array.isArray(parent)) parent[indexOf(key, parent.length - 1)] = value
    else setMember(parent, key, value)
  }

  #take(path: readonly string[]): void {
    const { parent, key } = this.#parentOf(path)
    read(parent, key)
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete parent[key]
  }
}

/** The reason why an operation does not apply. */
class Problem extends Error {
  readonly isTest: boolean

  constructor(why: string, isTest = false) {
    super(why)
    this.isTest = isTest
  }
}

/** The names of a pointer, below the `document` of the root. */
function pathOf(pointer: unknown): string[] {
  const names = parsePointer(pointer)
  if (names === undefined) throw new Problem('its path, or that of its source, is not a JSON pointer')
  return ['document', ...names]
}

function valueIn(operation: UncheckedOperation): unknown {
  if (!('value' in operation)) throw new Problem('it has no value')
  return operation.value
}

function read(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[indexOf(key, node.length - 1)]
  if (!isContainer(node) || !Object.hasOwn(node, key)) throw new Problem('there is nothing at its path')
  return ownMember(node, key)
}

const isIndex = (key: string) => /^(0|[1-9]\d*)$/.test(key)

function indexOf(key: string, max: number): number {
  if (!isIndex(key) || Number(key) > max) throw new Problem('the list has no such index')
  return Number(key)
}
