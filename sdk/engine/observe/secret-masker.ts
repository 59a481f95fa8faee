import { escaped } from './log-text.js'
import { SortedTexts } from './sorted-texts.js'

/**
 * The minimum length of a secret text. Masking shorter texts would make messages unreadable, and they reveal little.
 */
export const minSecretLength = 4
const mask = '[secret]'

/**
 * The maximum number of kept characters of a message, because users choose its length. Of a longer secret text, a
 * message can only contain a part.
 */
export const maxMessageLength = 8192

/**
 * The most forms of secret texts: those of about 1,000 passwords of a Helm release, or of twenty files of 4 KiB.
 * Masking one message takes a fraction of a second then. Users choose the number of texts, too.
 */
const maxForms = 40_000
/** The most characters in the forms; files have many, because each may be indented in several ways. */
const maxFormCharacters = 2 ** 24

/** Replaces a message if there are too many secret texts to mask them. */
const hiddenMessage =
  'this message is not shown, because it may contain secret values, and there are too many of them to mask each; ' +
  'use fewer or shorter secret values to see it'

/**
 * Masks secret texts in messages, also in the forms in which JSON or log lines escape them. With too many of them, no
 * message is shown.
 */
export class SecretMasker {
  readonly #forms = new Set<string>()
  #characters = 0
  #sorted: SortedTexts | undefined
  #isFull = false

  /** Whether there are too many texts. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Adds a text to those that are masked. */
  add(text: string): void {
    if (this.#isFull || text.length < minSecretLength) return
    for (const form of formsOf(text.slice(0, maxMessageLength))) {
      if (this.#forms.has(form)) continue
      this.#forms.add(form)
      this.#characters += form.length
      this.#sorted = undefined
    }
    if (this.#forms.size <= maxForms && this.#characters <= maxFormCharacters) return
    this.#isFull = true
    this.#forms.clear()
  }

  /**
   * The message without the texts, and without the beginning of one at its end: programs cut long messages. A message
   * that is too long is cut, also without any secret text. Public texts stay.
   */
  mask(message: string, publicTexts: ReadonlySet<string> = new Set()): string {
    if (this.#isFull) return hiddenMessage
    this.#sorted ??= new SortedTexts(this.#forms)
    if (message.length <= maxMessageLength) return maskForms(message, this.#sorted, publicTexts)
    return `${maskForms(message.slice(0, maxMessageLength), this.#sorted, publicTexts)} …`
  }
}

/** Replaces the texts. Those that overlap are replaced together, so that nothing of either stays. */
function maskForms(message: string, forms: SortedTexts, publicTexts: ReadonlySet<string>): string {
  let masked = ''
  let end = 0
  for (let position = 0; position + minSecretLength <= message.length; position++) {
    const length = forms.lengthAt(message, position, publicTexts)
    if (length === 0) continue
    if (position >= end) masked += message.slice(end, position) + mask
    end = Math.max(end, position + length)
  }
  return masked + message.slice(end)
}

const formsOf = (text: string) => [text, escaped(text), JSON.stringify(text).slice(1, -1)]
