/** The length, in characters, from which a repeated message is replaced by `as above`. */
const longMessage = 60

/**
 * Remembers the messages that an explanation has shown, and leaves out repeated long messages: an error of an object is
 * also in its conditions and its Events.
 */
export class PrintedMessages {
  readonly #printed: string[]

  /** Begins with texts that end with a message. */
  constructor(texts: readonly string[] = []) {
    this.#printed = texts.filter((text) => text.length >= longMessage)
  }

  /** The message, or `as above` if it is long and was shown before. */
  textOf(message: string): string {
    if (message.length < longMessage) return message
    if (this.#printed.some((text) => text.endsWith(message))) return 'as above'
    this.#printed.push(message)
    return message
  }
}
