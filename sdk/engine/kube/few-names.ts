/** The maximum number of names in a message. */
export const maxNames = 10
/** The maximum length of a text in a message; names of Kubernetes objects have no more characters. */
const maxLength = 253

/** A text that others write, for a message: only the beginning of a long one. */
export const beginningOf = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text

/** Names that others write, for a message: the first ten and the number of further ones; `none` if there are none. */
export function fewNames(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `${names.slice(0, maxNames).map(beginningOf).join(', ')}${more}`
}
