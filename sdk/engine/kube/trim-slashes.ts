/**
 * A text without the slashes at its end. Takes linear time for every text, which `/\/+$/` does not: it searches again
 * from each of many slashes in the middle, and users write URLs and paths.
 */
export function trimEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
