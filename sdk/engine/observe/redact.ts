import { escaped } from './log-text.js'

/**
 * The minimum length of a secret text. Masking shorter texts would make messages unreadable, and they reveal little.
 */
const minLength = 4
const mask = '[secret]'

/**
 * The maximum number of kept characters of a message. The search time grows with the product of both lengths, and users
 * choose both texts.
 */
const maxCharacters = 8192

/**
 * Masks secret texts in a message, also in the forms in which JSON or log lines escape them. Programs cut long
 * messages, so the beginning of a secret text at the end of a message is masked too. A message that is too long is cut.
 */
export function redact(message: string, secretTexts: readonly string[]): string {
  if (message.length <= maxCharacters) return redactAll(message, secretTexts)
  return `${redactAll(message.slice(0, maxCharacters), secretTexts)} …`
}

function redactAll(message: string, secretTexts: readonly string[]): string {
  const forms = new Set(secretTexts.filter((text) => text.length >= minLength).flatMap(formsOf))
  // Long texts go first, because they may contain short ones.
  const texts = [...forms].sort((one, other) => other.length - one.length)
  return maskCutSecret(
    texts.reduce((left, text) => left.replaceAll(text, mask), message),
    texts,
  )
}

const formsOf = (text: string) => [text, escaped(text), JSON.stringify(text).slice(1, -1)]

function maskCutSecret(message: string, texts: readonly string[]): string {
  const lengths = texts.map((text) => lengthOfCutSecret(message, text))
  const longest = Math.max(0, ...lengths)
  return longest === 0 ? message : `${message.slice(0, -longest)}${mask}`
}

/** The length of the longest beginning of a text with which a message ends; 0 if it is shorter than the minimum. */
function lengthOfCutSecret(message: string, text: string): number {
  const borders = bordersOf(text.slice(0, message.length))
  let length = 0
  for (const character of message.split('')) length = extendMatch(text, borders, { length, character })
  return length >= minLength ? length : 0
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
