import { stringifyJson } from '../kube/json.js'
import { digest } from './digest.js'
import { firstLetters } from './first-letters.js'

/**
 * The first letters of a value as JSON, with the values of environment variables replaced: objects with a `name` and a
 * `value`. The work and the depth are bounded by the letters, not by the value.
 */
export function redactedExcerpt(value: unknown, maxLetters: number): string {
  // One letter more, so that the text of a value that was cut is always longer than the limit.
  return firstLetters(stringifyJson(new Excerpt(maxLetters + 1).of(value)), maxLetters)
}

/** Copies the beginning of a value. Each part has at least one letter of JSON, so there are at most so many parts. */
class Excerpt {
  #left: number

  constructor(letters: number) {
    this.#left = letters
  }

  of(value: unknown): unknown {
    const text = typeof value === 'string' ? value.slice(0, this.#left) : undefined
    this.#left -= Math.max(1, text?.length ?? 1)
    if (Array.isArray(value)) return this.#items(value)
    if (typeof value === 'object' && value !== null) return this.#members(value)
    return text ?? value
  }

  #items(list: readonly unknown[]): unknown[] {
    const items: unknown[] = []
    for (const item of list) {
      if (this.#left <= 0) break
      items.push(this.of(item))
    }
    return items
  }

  #members(object: object): object {
    const members: [string, unknown][] = []
    const isNamed = 'name' in object && 'value' in object
    for (const [name, member] of Object.entries(object)) {
      if (this.#left <= 0) break
      if (member === undefined) continue
      const shown = name.slice(0, this.#left)
      this.#left -= shown.length
      members.push([shown, this.of(isNamed && name === 'value' ? digest(member) : member)])
    }
    return Object.fromEntries(members)
  }
}
