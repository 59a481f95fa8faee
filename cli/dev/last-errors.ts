import type { PluginLine } from '../program/plugin-log.js'
import { plainDecoding } from '../samples/refusal-text.js'

/** The maximum number of objects whose errors are remembered; the oldest are forgotten. */
const maxKeys = 1000

/** The last error that the log of a program has for each object. */
export class LastErrors {
  readonly #byKey = new Map<string, string>()

  /** The last error of the log that is not about an object, such as that of a hook. */
  #withoutKey: string | undefined

  get withoutKey(): string | undefined {
    return this.#withoutKey
  }

  /** Reads a line of the log. */
  record({ level, entry }: Pick<PluginLine, 'level' | 'entry'>): void {
    if (!entry || (level !== 'error' && level !== 'warn')) return
    const { key, error = entry.message } = entry.fields
    if (typeof key !== 'string') {
      if (level === 'error' && entry.fields.error !== undefined) this.#withoutKey = oneLine(textOf(error))
      return
    }
    this.#byKey.delete(key)
    this.#byKey.set(key, oneLine(textOf(error)))
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > maxKeys && oldest !== undefined) this.#byKey.delete(oldest)
  }

  /** Forgets all of an earlier process. */
  clear(): void {
    this.#byKey.clear()
    this.#withoutKey = undefined
  }

  /** The error of the first of these keys (`namespace/name`) that has one. */
  firstOf(keys: readonly string[]): string | undefined {
    return keys.map((key) => this.#byKey.get(key)).find((error) => error !== undefined)
  }
}

/** The text of an error, which is logged as a text or with its message and stack. */
function textOf(error: unknown): string {
  const { message = error } = Object(error) as { message?: unknown }
  return plainDecoding(String(message))
}

/** Without the stack, and the items of a list after each other. */
const oneLine = (text: string) =>
  text
    .replace(/\n +at .*/s, '')
    .trim()
    .replaceAll(/\s*\n\s*(?:- )?/g, ' ')
