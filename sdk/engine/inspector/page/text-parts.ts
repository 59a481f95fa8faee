/** A part of a text: plain, a place in the program's code, or a time. */
export type TextPart =
  | { readonly text: string }
  | { readonly frame: string }
  | { readonly atMs: number; readonly time: string }

// A name is searched from its beginning only: a message may have a word of a million letters.
const frame = /(?<![\w$.<>])[\w$.<>]+ \([^()]+:\d+:\d+\)|(?<=\bat )[^\s()]+\.[cm]?[jt]sx?:\d+:\d+/
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/
const special = new RegExp(`(${frame.source}|${time.source})`)

/** Splits a sentence at the places and the times in it. */
export const textParts = (text: string): TextPart[] =>
  text
    .split(special)
    .flatMap((part, index) => (part === '' ? [] : [index % 2 === 0 ? { text: part } : specialPart(part)]))

function specialPart(text: string): TextPart {
  if (!time.test(text)) return { frame: text }
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? { text } : { atMs, time: text }
}
