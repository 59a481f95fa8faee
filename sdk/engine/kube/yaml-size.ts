/**
 * The maximum number of values of an untrusted text. The parser needs up to 1 KiB for each value, and `[{},{},…]` has a
 * value every three bytes.
 */
export const maxYamlValues = 100_000

/** The characters that end lines, items and collections in brackets. */
const dividers = codesOf('\n,[]{}')
/** The characters that begin items and keys of blocks, which may be nested in one line. */
const indicators = codesOf('-?:')
/**
 * The characters that begin quoted scalars, aliases, anchors and tags. Two of them in a row are an error, after which
 * the parser reads on.
 */
const startCharacters = codesOf('"\'*&!')

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128)
  for (const character of characters) codes[character.charCodeAt(0)] = 1
  return codes
}

/**
 * An upper bound for the number of values of a YAML text, found in a fraction of the time that parsing takes.
 * Characters in quoted texts and comments count too.
 */
export function countYamlValues(text: string): number {
  let count = 1
  let previousCode = 32
  let lastVisibleCode = 10
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (dividers[code] === 1) count++
    else if (indicators[code] === 1) {
      if (isSpace(previousCode) && isSpace(text.charCodeAt(index + 1))) count++
    } else if (
      startCharacters[code] === 1 &&
      (isSpace(previousCode) || startCharacters[previousCode] === 1) &&
      !isBeforeValue(lastVisibleCode)
    )
      count++
    previousCode = code
    if (!isSpace(code) || code === 10) lastVisibleCode = code
  }
  return count
}

/** Whether a value follows a character, as the first of its line, item or pair. */
const isBeforeValue = (code: number) =>
  (dividers[code] === 1 && code !== 93 && code !== 125) || indicators[code] === 1

/** Whether a character is a tab, a line end or a space, or the end of the text, which has no code. */
const isSpace = (code: number) => Number.isNaN(code) || code === 32 || (code >= 9 && code <= 13)

/** Throws `SyntaxError` for a text with more than `most` values, before it is parsed. */
export function checkYamlSize(text: string, maxValues = maxYamlValues): void {
  const count = countYamlValues(text)
  if (count > maxValues)
    throw new SyntaxError(
      `it has up to ${count} values, and at most ${maxValues} are read; split it, or leave out what is not needed`,
    )
}
