import { isJsonObject } from '../../engine/kube/json-object.js'
import { checkKey, copyJson, type JsonValue } from './copy-json.js'
import { MetaDataError } from './metadata-error.js'

/** Checks and converts a value; every zod schema is one. */
export interface MetaDataSchema<T> {
  /** The converted value; throws if the value does not fit. */
  parse(value: unknown): T
}

/** The store of the metadata, and its limit. */
export interface MetaDataOptions {
  /** Stores the metadata; rejects if it could not. */
  readonly store: (metaData: Readonly<Record<string, JsonValue>>) => Promise<void>
  /** The most bytes of the metadata as JSON. */
  readonly maxBytes: number
}

/**
 * The memory of a manager about one Module: a JSON object. Values are copied when they are set and when they are read.
 *
 * @example
 * ```ts
 * async function install(_ctx: OperationContext, metaData: MetaData): Promise<void> {
 *   metaData.set('begun', true)
 *   await metaData.save()
 * }
 * ```
 */
export class MetaData {
  readonly #options: MetaDataOptions
  readonly #values = new Map<string, JsonValue>()
  /** The bytes of each member as JSON, so that a `set` need not measure the others. */
  readonly #bytes = new Map<string, number>()
  #totalBytes = 0

  constructor(options: MetaDataOptions) {
    this.#options = options
  }

  /** The most bytes of everything as JSON. */
  get maxBytes(): number {
    return this.#options.maxBytes
  }

  /** A copy of the value of a key; `undefined` if there is none. */
  get(key: string): JsonValue | undefined {
    return structuredClone(this.#values.get(key))
  }

  /**
   * Sets a key to a copy of a value. Throws a {@link MetaDataError} for a value that JSON would change and for too much
   * metadata; then the key keeps its value. It is not stored before `save`, or before the operation has ended.
   */
  set(key: string, value: unknown): void {
    checkKey(key, key)
    const copy = copyJson(value, key)
    const bytes = bytesOf(key, copy)
    this.#checkSize(key, bytes)
    this.#put(key, copy, bytes)
  }

  /** Removes a key; returns whether it was there. */
  delete(key: string): boolean {
    this.#totalBytes -= this.#bytes.get(key) ?? 0
    this.#bytes.delete(key)
    return this.#values.delete(key)
  }

  /** Whether a key has a value. */
  has(key: string): boolean {
    return this.#values.has(key)
  }

  /** All keys, in the order in which they were first set. */
  keys(): string[] {
    return [...this.#values.keys()]
  }

  /** The value of a key by a schema; `undefined` if there is none. Throws if the value does not fit. */
  decode<T>(key: string, schema: MetaDataSchema<T>): T | undefined {
    if (!this.has(key)) return undefined
    try {
      return schema.parse(this.get(key))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new MetaDataError('INVALID_METADATA', `metadata ${key} does not fit its schema: ${why}`, {
        cause: error,
      })
    }
  }

  /** The text of a key; `''` if there is none, or if it is not a text. */
  decodeToString(key: string): string {
    const value = this.#values.get(key)
    return typeof value === 'string' ? value : ''
  }

  /** Stores the metadata at once: from here on it survives a crash. */
  async save(): Promise<void> {
    await this.#options.store(this.toJSON())
  }

  /**
   * Replaces everything by a text that `toString` wrote. Throws for a text that is not a JSON object, and changes
   * nothing then.
   */
  parse(text: string): void {
    const values = Object.entries(readObject(text)).map(([key, value]): [string, JsonValue] => {
      checkKey(key, key)
      return [key, copyJson(value, key)]
    })
    const bytes = values.map(([key, value]) => bytesOf(key, value))
    const total = bytes.reduce((sum, one) => sum + one, 0)
    if (total + 1 > this.#options.maxBytes) throw tooLargeError(total + 1, this.#options.maxBytes, undefined)
    for (const key of this.keys()) this.delete(key)
    for (const [index, [key, value]] of values.entries()) this.#put(key, value, bytes[index] ?? 0)
  }

  /** A copy of everything, as a plain object. */
  toJSON(): Record<string, JsonValue> {
    return structuredClone(Object.fromEntries(this.#values))
  }

  /** Everything as JSON. */
  toString(): string {
    return JSON.stringify(Object.fromEntries(this.#values))
  }

  #put(key: string, value: JsonValue, bytes: number): void {
    this.#totalBytes += bytes - (this.#bytes.get(key) ?? 0)
    this.#bytes.set(key, bytes)
    this.#values.set(key, value)
  }

  #checkSize(key: string, bytes: number): void {
    const total = this.#totalBytes - (this.#bytes.get(key) ?? 0) + bytes + 1
    if (total <= this.#options.maxBytes) return
    const others = [...this.#bytes].filter(([other]) => other !== key)
    const [largest] = [...others, [key, bytes] as const].reduce((one, other) =>
      other[1] > one[1] ? other : one,
    )
    throw tooLargeError(total, this.#options.maxBytes, largest)
  }
}

/** The size of a member with a comma, in bytes. The whole object has one byte more: two braces, but no last comma. */
function bytesOf(key: string, value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2
}

function tooLargeError(bytes: number, maxBytes: number, largest: string | undefined): MetaDataError {
  const hint = largest === undefined ? '' : `; its largest key is ${JSON.stringify(largest)}`
  return new MetaDataError(
    'METADATA_TOO_LARGE',
    `the metadata would be ${bytes} bytes as JSON, more than the limit of ${maxBytes}${hint}`,
  )
}

function readObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The error of Node quotes the text, which may hold secrets.
    throw new MetaDataError('INVALID_METADATA', `the metadata is not JSON (${text.length} characters)`)
  }
  if (isJsonObject(value)) return value
  throw new MetaDataError(
    'INVALID_METADATA',
    `the metadata must be a JSON object, got ${Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value}`,
  )
}
