/**
 * The name that was meant by a mistyped one: the one with the fewest edits, if those are at most two and fewer than half of its
 * letters. An edit adds, removes or replaces a letter, or swaps two neighbours.
 */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: editsBetween(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.min(2, (name.length - 1) / 2))
    .sort((one, other) => one.edits - other.edits)
  return near[0]?.name
}

function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = i > 1 && j > 1 && isSwap ? at(i - 2, j - 2) + 1 : replaced
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(one.length, other.length)
}
