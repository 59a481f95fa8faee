/** The length from which a repeated message is replaced by `as above`. */
const minChars = 60

/**
 * Replaces long messages that `why` has shown before by `as above`: an error of an object is also in its conditions and
 * its Events.
 */
export class PrintedMessages {
  readonly #printed: string[]

  /** `texts` were shown before; each may end with a message. */
  constructor(texts: readonly string[] = []) {
    this.#printed = texts.filter((text) => text.length >= minChars)
  }

  /** The message, or `as above` if it is long and was shown before. */
  textOf(message: string): string {
    if (message.length < minChars) return message
    if (this.#printed.some((text) => text.endsWith(message))) return 'as above'
    this.#printed.push(message)
    return message
  }
}
