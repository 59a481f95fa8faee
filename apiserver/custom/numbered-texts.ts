/** Whether texts are numbers that identify books, cards and people, with their check digits. */

/** An ISBN of ten characters, of which the last may be `X`. */
export function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = valuesOf(digits).reduce((sum, value, at) => sum + value * (at + 1), 0)
  return sum % 11 === 0
}

/** An ISBN of thirteen digits. */
export function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  const sum = valuesOf(digits).reduce((sum, value, at) => sum + value * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

/** A number of a known kind of card, among any other characters. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (!cards.test(digits)) return false
  const doubled = valuesOf(digits)
    .reverse()
    .map((value, at) => (at % 2 === 0 ? value : value * 2 - (value > 4 ? 9 : 0)))
  return doubled.reduce((sum, value) => sum + value, 0) % 10 === 0
}

/** An American social security number with its separators. */
export const isSsn = (text: string): boolean => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)

const valuesOf = (digits: string) => [...digits].map((digit) => (digit === 'X' ? 10 : Number(digit)))
