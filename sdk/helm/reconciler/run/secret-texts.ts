import { isJsonObject } from '../../../engine/kube/json-object.js'
import { minSecretLength, SecretMasker } from '../../../engine/observe/secret-masker.js'
import { encodingsOf } from './secret-encodings.js'

/** The members of a Status by which programs decide what to do. */
const codes: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'status', 'reason', 'group'])

/**
 * The values of the Secrets of a release that a run has seen. A template may use one of them in an object of another
 * kind, and API servers quote what they refuse, so they are left out of all messages. With too many of them, no message
 * is shown.
 */
export class SecretTexts {
  readonly #masker = new SecretMasker()
  readonly #noted = new Set<string>()
  /** Texts that stay in messages, such as names of objects. */
  readonly #public: Set<string>

  /** `public` are texts that stay in messages, such as the name of the release, although a Secret may contain them. */
  constructor(...publicTexts: readonly string[]) {
    this.#public = new Set(publicTexts)
  }

  /** Notes the values of the Secrets among rendered or recorded objects. */
  noteRendered(rendered: Iterable<{ readonly object: unknown }>): void {
    this.note([...rendered].map(({ object }) => object))
  }

  /** Notes the values of Secrets, in lists of objects too; other objects are ignored. */
  note(objects: Iterable<unknown>): void {
    for (const object of objects) {
      if (!isJsonObject(object)) continue
      const { kind, items, metadata } = object
      if (isJsonObject(metadata)) this.#notePublic(metadata.name)
      // The items of a list that an API server answers have no kind.
      if (Array.isArray(items))
        this.note(items.map((item) => ({ kind: String(kind).replace(/List$/, ''), ...item })))
      if (kind !== 'Secret') continue
      for (const text of textsOf(object.data)) this.#noteEncoded(text)
      for (const text of textsOf(object.stringData)) this.noteText(text)
    }
  }

  /** A name of an object has at most 253 characters; users may write longer ones into records. */
  #notePublic(name: unknown): void {
    if (typeof name === 'string' && name.length <= 253) this.#public.add(name)
  }

  /** Notes a value, in all forms in which templates can print it. */
  noteText(text: string): void {
    if (this.#masker.isFull || this.#noted.has(text)) return
    this.#noted.add(text)
    for (const variant of new Set([text, text.trim()]))
      if (variant.length >= minSecretLength) for (const form of encodingsOf(variant)) this.#masker.add(form)
  }

  /** A message without the values. */
  redact(message: string): string {
    return this.#masker.mask(message, this.#public)
  }

  /** Removes the values from the message and the stack of an error and of its causes, in place. Returns the error. */
  redactError(error: unknown): unknown {
    const seenCauses = new Set<unknown>()
    for (let cause = error; cause instanceof Error && !seenCauses.has(cause); cause = cause.cause) {
      seenCauses.add(cause)
      this.#redactOneError(cause)
    }
    return error
  }

  /**
   * A value of a log line without the secret values: in texts, at any depth of lists and objects, and in errors as
   * {@link redactError} does.
   */
  redactValue(value: unknown): unknown {
    if (value instanceof Error) return this.redactError(value)
    return this.#redactJson(value)
  }

  #redactOneError(error: Error & { status?: unknown }): void {
    const { message, stack, status } = error
    const redacted = this.redact(message)
    if (redacted !== message) error.message = redacted
    if (stack !== undefined && redacted !== message) error.stack = this.redact(stack)
    if (isJsonObject(status)) Object.assign(status, this.#redactJson(status))
  }

  /** Redacts each text of a JSON value alone: the value of a Secret may occur in the syntax of JSON. */
  #redactJson(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map((one) => this.#redactJson(one))
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(([name, member]) => [name, this.#redactMember(name, member)])
    return Object.fromEntries(entries)
  }

  /** If messages are hidden as a whole, what tells programs about an error stays: they act on it. */
  #redactMember(name: string, member: unknown): unknown {
    const isCode = this.#masker.isFull && codes.has(name) && typeof member === 'string'
    return isCode ? member : this.#redactJson(member)
  }

  #noteEncoded(text: string): void {
    if (this.#masker.isFull) return
    this.#masker.add(text)
    this.noteText(Buffer.from(text, 'base64').toString('utf8'))
  }
}

const textsOf = (map: unknown): string[] =>
  isJsonObject(map) ? Object.values(map).filter((value): value is string => typeof value === 'string') : []
