import { PermanentError } from '../../engine/kube/error.js'
import { stringifyJson } from '../../engine/kube/json.js'

/** The most characters that the expressions of one spec make together. */
const maxCharacters = 4 * 1024 * 1024

/**
 * The characters that the templates of one spec may still make. A short template can name a long value, so the size of
 * a spec does not limit that of its rendering.
 */
export class TextBudget {
  readonly #path: string
  #left = maxCharacters

  /** `path` is the name of the spec in messages. */
  constructor(path: string) {
    this.#path = path
  }

  /** Counts the value of an expression. Throws a `PermanentError` beyond the limit. */
  charge(value: unknown, { path, source }: { readonly path: string; readonly source: string }): void {
    this.#left -= lengthOf(value)
    if (this.#left >= 0) return
    throw new PermanentError(
      `${path}: with the template {{${source.slice(0, 100)}}} the templates of ${this.#path} make more than ` +
        `${maxCharacters} characters; use long values in fewer places, or shorten them`,
    )
  }
}

/** The length of a value as text. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? stringifyJson(value).length : String(value).length
}
