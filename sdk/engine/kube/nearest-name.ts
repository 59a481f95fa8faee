/** The name that needs the fewest changed letters to become `name`, and how many; undefined of no names. */
export function nearestName(
  name: string,
  names: readonly string[],
): { name: string; distance: number } | undefined {
  const measured = names.map((one) => ({ name: one, distance: editDistance(name, one) }))
  return measured.sort((a, b) => a.distance - b.distance)[0]
}

/** How many letters must be put in, taken out or replaced (https://en.wikipedia.org/wiki/Levenshtein_distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
