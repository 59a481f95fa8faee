/** Objects as text, by a name for messages such as `host configmaps vcluster-vc/greeting-x-default-x-vc`. */
export type ObjectTexts = ReadonlyMap<string, string>

/** Lists the objects that are missing, unexpected or different, one sentence each. */
export function stateDifferences(actual: ObjectTexts, expected: ObjectTexts): string[] {
  const names = new Set([...expected.keys(), ...actual.keys()])
  return [...names].flatMap((name) => difference(name, actual.get(name), expected.get(name)) ?? [])
}

function difference(
  name: string,
  actual: string | undefined,
  expected: string | undefined,
): string | undefined {
  if (actual === expected) return undefined
  if (actual === undefined) return `${name} is missing`
  if (expected === undefined) return `${name} should not exist: ${shortened(actual)}`
  const differsAt = [...actual].findIndex((char, i) => char !== expected[i])
  const from = Math.max(0, differsAt - 60)
  return `${name} differs: it has …${shortened(actual.slice(from))}, expected …${shortened(expected.slice(from))}`
}

const shortened = (text: string) => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
