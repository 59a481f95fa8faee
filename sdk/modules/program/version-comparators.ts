// The operators of ranges of versions, as Masterminds/semver has them, also where that differs from npm.
import { comparePrereleases, compareVersions, type Version } from './version.js'

/** One comparator of a range. */
export interface Comparator {
  readonly operator: string
  readonly version: Version
  /** How many numbers the version names; numbers from the first `x` or `*` on are open. */
  readonly statedCount: 0 | 1 | 2 | 3
}

type Holds = (version: Version, comparator: Comparator) => boolean

const operators: Readonly<Record<string, Holds>> = {
  '': equals,
  '=': equals,
  '!=': differs,
  '>': isGreater,
  '<': (version, { version: compared }) => compareVersions(version, compared) < 0,
  '>=': (version, { version: compared }) => compareVersions(version, compared) >= 0,
  '=>': (version, { version: compared }) => compareVersions(version, compared) >= 0,
  '<=': isAtMost,
  '=<': isAtMost,
  '~': fitsTilde,
  '~>': fitsTilde,
  '^': fitsCaret,
}

/** Whether a version fits a comparator. */
export const holds: Holds = (version, comparator) =>
  operators[comparator.operator]?.(version, comparator) ?? false

/** Whether the versions are equal; a comparator with open numbers equals all versions that begin with its numbers. */
function equals(version: Version, comparator: Comparator): boolean {
  return comparator.statedCount < 3
    ? fitsTilde(version, comparator)
    : compareVersions(version, comparator.version) === 0
}

function differs(version: Version, { version: from, statedCount }: Comparator): boolean {
  // `!= *` is `!= 0.0.0`.
  if (statedCount === 3 || statedCount === 0) return compareVersions(version, from) !== 0
  for (let index = 0; index < statedCount; index++)
    if (version.numbers[index] !== from.numbers[index]) return true
  if (statedCount === 1) return false
  return comparePrereleases(version.prerelease, from.prerelease) !== 0
}

/** `> 11` begins with 12, `> 11.1` with 11.2. */
function isGreater(version: Version, { version: compared, statedCount }: Comparator): boolean {
  if (statedCount === 3 || statedCount === 0) return compareVersions(version, compared) > 0
  const [major, minor] = compared.numbers
  if (version.numbers[0] !== major) return version.numbers[0] > major
  return statedCount === 2 && version.numbers[1] > minor
}

/** `<= 11` has all of 11 in it, and `<= 11.1` all of 11.1. */
function isAtMost(version: Version, { version: compared, statedCount }: Comparator): boolean {
  if (statedCount === 3) return compareVersions(version, compared) <= 0
  const [major, minor] = compared.numbers
  if (version.numbers[0] !== major) return version.numbers[0] < major
  return statedCount === 1 || version.numbers[1] <= minor
}

function fitsTilde(version: Version, { version: from, statedCount }: Comparator): boolean {
  if (compareVersions(version, from) < 0) return false
  // `~0.0.0` and `*` have every version in them.
  if ((statedCount === 3 || statedCount === 0) && from.numbers.every((one) => one === 0n)) return true
  return (
    version.numbers[0] === from.numbers[0] && (statedCount === 1 || version.numbers[1] === from.numbers[1])
  )
}

/** The first number that is not 0 stays. */
function fitsCaret(version: Version, { version: from, statedCount }: Comparator): boolean {
  if (compareVersions(version, from) < 0) return false
  const [major, minor, patch] = from.numbers
  if (version.numbers[0] !== major) return false
  if (major > 0n || statedCount === 1) return true
  if (version.numbers[1] !== minor) return false
  return minor > 0n || statedCount === 2 || version.numbers[2] === patch
}
