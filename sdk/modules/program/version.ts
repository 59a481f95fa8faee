// Versions as Masterminds/semver reads them, which Helm uses: major, minor and patch, of which the last two may be left
// out.

/** The longest text of a version, in characters. */
const maxVersionLength = 256
const maxInteger = 2n ** 64n - 1n

/** Major, minor and patch, then the parts of a pre-release; a version with such parts comes before the one without. */
export interface Version {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]
}

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const pattern = new RegExp(
  `^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${identifiers}))?(?:\\+${identifiers})?$`,
)

/** Reads a version; undefined for a text that is not one. */
export function readVersion(text: string): Version | undefined {
  const [matched, major = '0', minor = '0', patch = '0', suffix] =
    text.length > maxVersionLength ? [] : (pattern.exec(text) ?? [])
  if (matched === undefined) return undefined
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const
  const prerelease = suffix === undefined ? [] : suffix.split('.')
  const isValid =
    numbers.every((one) => one <= maxInteger) && prerelease.every((part) => !/^0\d+$/.test(part))
  return isValid ? { numbers, prerelease } : undefined
}

/** Compares two versions by precedence: negative if the first one comes before the other. */
export function compareVersions(one: Version, other: Version): number {
  for (const index of [0, 1, 2] as const)
    if (one.numbers[index] !== other.numbers[index]) return one.numbers[index] < other.numbers[index] ? -1 : 1
  if (one.prerelease.length === 0 || other.prerelease.length === 0)
    return other.prerelease.length - one.prerelease.length
  return comparePrereleases(one.prerelease, other.prerelease)
}

/** Compares two pre-releases; a longer one comes after one that it begins with. */
export function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    if (part !== against) return compareParts(part, against)
  }
  return one.length - other.length
}

/** Numbers are before texts, and compared as numbers. One that is too large counts as a text. */
function compareParts(one: string, other: string): number {
  const [number, otherNumber] = [numberOf(one), numberOf(other)]
  if (number !== undefined && otherNumber !== undefined) return number < otherNumber ? -1 : 1
  if (number !== undefined) return -1
  if (otherNumber !== undefined) return 1
  return one < other ? -1 : 1
}

function numberOf(part: string): bigint | undefined {
  if (!/^\d+$/.test(part)) return undefined
  const number = BigInt(part)
  return number <= maxInteger ? number : undefined
}
