/** The first letters of a text, with `…` if there are more. A copy: a slice would keep the whole text in memory. */
export function firstLetters(text: string, max: number): string {
  return text.length > max ? `${Buffer.from(text.slice(0, max)).toString()}…` : text
}
