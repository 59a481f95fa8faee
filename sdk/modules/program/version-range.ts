// Ranges of semantic versions, as npm writes them: `>=0.2.0 <1`, `^1.2`, `~1.2.3`, `1.x`, `*`, alternatives with `||`.
const number = '(?:0|[1-9]\\d{0,15})'
const wildcard = `(?:${number}|[xX*])`
const suffix = '(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?'
const exact = new RegExp(`^v?(${number})\\.(${number})\\.(${number})${suffix}$`)
const comparator = new RegExp(
  `^(>=|<=|>|<|=|\\^|~)?v?(${wildcard})(?:\\.(${wildcard})(?:\\.(${wildcard})${suffix})?)?$`,
)
const longestText = 256

/** Major, minor and patch, then the parts of a pre-release; a version with such parts comes before the one without. */
interface Version {
  readonly numbers: readonly [number, number, number]
  readonly prerelease: readonly string[]
}

/** Versions from the first one to before the second one. */
type Span = readonly [from: Version, before: Version]

/**
 * Whether a version is in a range. Pre-releases are compared by their order, and are before their release; `<1` leaves the
 * pre-releases of 1 out. Throws a `RangeError` that quotes a text that is not a version or not a range.
 *
 * @example
 * ```ts
 * isInRange('0.3.1', '>=0.2.0 <1') // true
 * ```
 */
export function isInRange(version: string, range: string): boolean {
  const wanted = versionOf(version)
  const alternatives = range.split('||').map((text) => spansOf(text.trim(), range))
  return alternatives.some((spans) => spans.every((span) => isWithin(wanted, span)))
}

/**
 * The newest of some versions in a range; undefined without one that is semantic, and for a text that is not a range. Pre-releases count
 * only if `range` has one.
 */
export function newestVersion(versions: readonly string[], range = '*'): string | undefined {
  const wantsPrerelease = /\d-/.test(range)
  const candidates = versions
    .filter((text) => isSemantic(text) && isInReadableRange(text, range))
    .map((text) => ({ text, version: versionOf(text) }))
    .filter(({ version }) => wantsPrerelease || version.prerelease.length === 0)
  return candidates.sort((one, other) => compare(other.version, one.version))[0]?.text
}

const isSemantic = (text: string) => text.length <= longestText && exact.test(text)

function isInReadableRange(version: string, range: string): boolean {
  try {
    return isInRange(version, range)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function versionOf(text: string): Version {
  const [matched, major, minor, patch, prerelease] = exact.exec(text.slice(0, longestText + 1)) ?? []
  if (matched === undefined || text.length > longestText)
    throw new RangeError(`not a semantic version: ${quoted(text)}`)
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease: partsOf(prerelease) }
}

/** The spans of a list of comparators, all of which a version must be in. */
function spansOf(text: string, range: string): Span[] {
  if (range.length > longestText) throw notARange(range)
  if (text === '') return [spanOf('*', range)]
  const joined = text.replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1')
  const between = /^(\S+)\s+-\s+(\S+)$/.exec(joined)
  const comparators = between ? [`>=${between[1]}`, `<=${between[2]}`] : joined.split(/\s+/)
  return comparators.map((one) => spanOf(one, range))
}

function spanOf(text: string, range: string): Span {
  const [matched, operator = '=', ...parts] = comparator.exec(text) ?? []
  if (matched === undefined) throw notARange(range)
  const known = knownNumbers(parts.slice(0, 3))
  const prerelease = partsOf(parts[3])
  const first: Version = { numbers: filled(known), prerelease }
  return spanOfOperator(operator, first, endOf(operator, first, known))
}

function spanOfOperator(operator: string, first: Version, end: Version): Span {
  if (operator === '>') return [end, last]
  if (operator === '>=') return [first, last]
  if (operator === '<') return [zero, first.prerelease.length > 0 ? first : lowest(first.numbers)]
  if (operator === '<=') return [zero, end]
  return [first, end]
}

/** The first version after those that a comparator names. */
function endOf(operator: string, { numbers, prerelease }: Version, known: readonly number[]): Version {
  const [major, minor, patch] = numbers
  if (known.length === 0) return last
  if (operator === '^') return endOfCaret(numbers, known)
  if (operator === '~') return known.length === 1 ? lowest([major + 1, 0, 0]) : lowest([major, minor + 1, 0])
  if (known.length === 1) return lowest([major + 1, 0, 0])
  if (known.length === 2) return lowest([major, minor + 1, 0])
  return prerelease.length > 0
    ? { numbers, prerelease: [...prerelease, '0'] }
    : lowest([major, minor, patch + 1])
}

function endOfCaret([major, minor, patch]: Version['numbers'], known: readonly number[]): Version {
  if (major > 0 || known.length === 1) return lowest([major + 1, 0, 0])
  if (minor > 0 || known.length === 2) return lowest([0, minor + 1, 0])
  return lowest([0, 0, patch + 1])
}

/** The numbers up to the first that is left open. */
function knownNumbers(parts: readonly (string | undefined)[]): number[] {
  const open = parts.findIndex((part) => part === undefined || /^[xX*]$/.test(part))
  return parts.slice(0, open === -1 ? 3 : open).map(Number)
}

const filled = ([major = 0, minor = 0, patch = 0]: readonly number[]): Version['numbers'] => [
  major,
  minor,
  patch,
]
const partsOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split('.'))
/** The first pre-release of a version: before all others of it. */
const lowest = (numbers: Version['numbers']): Version => ({ numbers, prerelease: ['0'] })
const zero = lowest([0, 0, 0])
const last: Version = { numbers: [Number.POSITIVE_INFINITY, 0, 0], prerelease: [] }

const isWithin = (version: Version, [from, before]: Span): boolean =>
  compare(version, from) >= 0 && compare(version, before) < 0

function compare(one: Version, other: Version): number {
  for (const at of [0, 1, 2] as const)
    if (one.numbers[at] !== other.numbers[at]) return one.numbers[at] - other.numbers[at]
  if (one.prerelease.length === 0 || other.prerelease.length === 0)
    return other.prerelease.length - one.prerelease.length
  return comparePrereleases(one.prerelease, other.prerelease)
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [at, part] of one.entries()) {
    const against = other[at]
    if (against === undefined) return 1
    if (part !== against) return compareParts(part, against)
  }
  return one.length - other.length
}

/** Numbers are before texts, and compared as numbers. */
function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return Number(one) - Number(other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return one < other ? -1 : 1
}

const quoted = (text: string) => JSON.stringify(text.slice(0, longestText))
const notARange = (range: string) =>
  new RangeError(`not a range of versions: ${quoted(range)}; write one such as ">=0.2.0 <1"`)
