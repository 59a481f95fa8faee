/** A message of this length or more is said once, in characters. */
const longMessage = 60

/**
 * The messages that an explanation has said. A long one that comes again is left out: an error of an object is also in
 * its conditions and its Events.
 */
export class SaidMessages {
  readonly #said: string[]

  /** Begins with texts that end with a message. */
  constructor(texts: readonly string[] = []) {
    this.#said = texts.filter((text) => text.length >= longMessage)
  }

  /** The message; `as above` if it is long, and was said before. */
  once(message: string): string {
    if (message.length < longMessage) return message
    if (this.#said.some((text) => text.endsWith(message))) return 'as above'
    this.#said.push(message)
    return message
  }
}
