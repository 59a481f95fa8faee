import leven from 'leven'

/** The name that needs the fewest changed letters to become `name`, and their number; undefined for an empty list. */
export function nearestName(
  name: string,
  names: readonly string[],
): { name: string; distance: number } | undefined {
  const measured = names.map((one) => ({ name: one, distance: leven(name, one) }))
  return measured.sort((a, b) => a.distance - b.distance)[0]
}
