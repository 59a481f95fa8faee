import leven from 'leven'

/**
 * The name that a user probably meant by a mistyped one: the name with the fewest edits. The number of edits must be at
 * most two, at most half of its letters, rounded up, and less than its letters. An edit adds, removes or replaces a
 * letter; two neighbours that are swapped are two edits.
 */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: leven(typed, name) }))
    .filter(({ name, edits }) => edits < name.length && edits <= Math.min(2, Math.ceil(name.length / 2)))
    .sort((one, other) => one.edits - other.edits)
  return near[0]?.name
}
