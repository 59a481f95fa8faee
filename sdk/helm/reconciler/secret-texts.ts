import { redact } from '../../observe/redact.js'
import { isJsonObject } from '../chart/json-object.js'

/**
 * The values of the Secrets of a release that a run has seen. A template may use one of them in an object of another kind, and
 * API servers quote what they refuse, so they are left out of all messages.
 */
export class SecretTexts {
  readonly #texts = new Set<string>()
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
      if (isJsonObject(metadata) && typeof metadata.name === 'string') this.#public.add(metadata.name)
      // The items of a list that an API server answers have no kind.
      if (Array.isArray(items))
        this.note(items.map((item) => ({ kind: String(kind).replace(/List$/, ''), ...item })))
      if (kind !== 'Secret') continue
      for (const text of textsOf(object.data)) this.#noteEncoded(text)
      for (const text of textsOf(object.stringData)) this.#noteText(text)
    }
  }

  /** A message without the values. */
  redact(message: string): string {
    const texts = [...this.#texts].filter((text) => !this.#public.has(text))
    return texts.length === 0 ? message : redact(message, texts)
  }

  /** An error without the values: in its message, its stack, and those of its causes. The error is changed. */
  redactError(error: unknown): unknown {
    const seen = new Set<unknown>()
    for (let one = error; one instanceof Error && !seen.has(one); one = one.cause) {
      seen.add(one)
      this.#redactOne(one)
    }
    return error
  }

  #redactOne(error: Error & { status?: unknown }): void {
    const { message, stack, status } = error
    const redacted = this.redact(message)
    if (redacted === message) return
    error.message = redacted
    if (stack !== undefined) error.stack = this.redact(stack)
    if (isJsonObject(status)) Object.assign(status, JSON.parse(this.redact(JSON.stringify(status))))
  }

  #noteEncoded(text: string): void {
    this.#texts.add(text)
    this.#noteText(Buffer.from(text, 'base64').toString('utf8'))
  }

  #noteText(text: string): void {
    this.#texts.add(text).add(text.trim())
  }
}

const textsOf = (map: unknown): string[] =>
  isJsonObject(map) ? Object.values(map).filter((value): value is string => typeof value === 'string') : []
