import { escaped } from './log-text.js'

/**
 * The minimum length of a secret text. Masking shorter texts would make messages unreadable, and they reveal little.
 */
export const minSecretLength = 4
const mask = '[secret]'

/**
 * The maximum number of kept characters of a message. The search time grows with the product of both lengths, and users
 * choose both texts. Of a longer secret text, a message can only contain a part.
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
  /** The forms, long ones first, because they may contain short ones. */
  #sorted: readonly string[] | undefined
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
   * that is too long is cut. Public texts stay.
   */
  mask(message: string, publicTexts: ReadonlySet<string> = new Set()): string {
    if (this.#isFull) return hiddenMessage
    this.#sorted ??= [...this.#forms].sort((one, other) => other.length - one.length)
    const forms = this.#sorted.filter((form) => !publicTexts.has(form))
    if (message.length <= maxMessageLength || forms.length === 0) return maskForms(message, forms)
    return `${maskForms(message.slice(0, maxMessageLength), forms)} …`
  }
}

function maskForms(message: string, forms: readonly string[]): string {
  let masked = message
  for (const form of forms) masked = masked.replaceAll(form, mask)
  let longest = 0
  for (const form of forms) longest = Math.max(longest, lengthOfCutSecret(masked, form))
  return longest === 0 ? masked : `${masked.slice(0, -longest)}${mask}`
}

const formsOf = (text: string) => [text, escaped(text), JSON.stringify(text).slice(1, -1)]

/** The length of the longest beginning of a text with which a message ends; 0 if it is shorter than the minimum. */
function lengthOfCutSecret(message: string, text: string): number {
  const end = message.slice(-text.length)
  if (!end.includes(text.slice(0, minSecretLength))) return 0
  const borders = bordersOf(text.slice(0, end.length))
  let length = 0
  for (const character of end.split('')) length = extendMatch(text, borders, { length, character })
  return length >= minSecretLength ? length : 0
}

/**
 * For each prefix of a text, the length of its longest proper prefix that is also its suffix (the failure function of
 * Knuth, Morris and Pratt). Comparing every length would take seconds for texts that repeat one letter.
 */
function bordersOf(text: string): number[] {
  const borders = [0]
  let length = 0
  for (const character of text.slice(1).split('')) {
    length = extendMatch(text, borders, { length, character })
    borders.push(length)
  }
  return borders
}

/** The length of the longest prefix that is still matched after one more character. */
function extendMatch(
  text: string,
  borders: readonly number[],
  { length, character }: { length: number; character: string },
): number {
  let matchedLength = length
  while (matchedLength > 0 && text[matchedLength] !== character)
    matchedLength = borders[matchedLength - 1] ?? 0
  return text[matchedLength] === character ? matchedLength + 1 : 0
}
