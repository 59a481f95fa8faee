/**
 * Ranges of versions, as Masterminds/semver reads them, which Helm uses: `>= 0.2, < 1`, `^1.2 || ~> 2.1`, `!= 1.x`,
 * `1.2 - 2`. It promises the same answer for the same text, which `version-range-vectors.test.ts` holds against answers
 * of that library.
 */
import { compareVersions, readVersion, type Version } from './version.js'
import { type Comparator, holds } from './version-comparators.js'

/** The longest text of a range, in characters, and the most alternatives in it. */
const maxRangeLength = 512
const maxAlternatives = 32

/** Options of {@link isInRange}. */
export interface RangeOptions {
  /** Whether a pre-release may be in a range that names none. Default: false, as in the library. */
  readonly includePrerelease?: boolean
}

/**
 * Whether a version is in a range. A pre-release is in a range only if one of the comparators next to the one that it
 * fits names a pre-release. Throws a `RangeError` that quotes a text that is not a version or not a range.
 *
 * @example
 * ```ts
 * isInRange('0.3.1', '>= 0.2.0, < 1') // true
 * ```
 */
export function isInRange(version: string, range: string, options: RangeOptions = {}): boolean {
  const wanted = readVersion(version)
  if (!wanted) throw new RangeError(`not a semantic version: ${quoted(version)}`)
  return isWithin(wanted, readRange(range), options)
}

/** Whether a text is a range of versions. */
export function isRange(range: string): boolean {
  return alternativesOf(range) !== undefined
}

/** The newest of some versions in a range; undefined without one, and for a text that is not a range. */
export function newestVersion(versions: readonly string[], range = '*'): string | undefined {
  const alternatives = alternativesOf(range)
  if (!alternatives) return undefined
  const candidates = versions.flatMap((text) => {
    const version = readVersion(text)
    return version && isWithin(version, alternatives, {}) ? [{ text, version }] : []
  })
  return candidates.sort((one, other) => compareVersions(other.version, one.version))[0]?.text
}

function isWithin(
  version: Version,
  alternatives: readonly Comparator[][],
  { includePrerelease = false }: RangeOptions,
): boolean {
  return alternatives.some((comparators) => {
    const mayBePrerelease = includePrerelease || comparators.some((one) => one.version.prerelease.length > 0)
    if (version.prerelease.length > 0 && !mayBePrerelease) return false
    return comparators.every((comparator) => holds(version, comparator))
  })
}

function readRange(range: string): Comparator[][] {
  const alternatives = alternativesOf(range)
  if (alternatives) return alternatives
  throw new RangeError(`not a range of versions: ${quoted(range)}; write one such as ">= 0.2.0, < 1"`)
}

const space = '[\\t\\n\\f\\r ]'
const numbers = '[0-9|xX*]+'
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const partial = `v?(${numbers})(?:\\.(${numbers}))?(?:\\.(${numbers}))?(-${identifiers})?(\\+${identifiers})?`
const hyphenRange = new RegExp(`${space}*(${partial})${space}+-${space}+(${partial})${space}*`, 'g')
const separator = new RegExp(`^(?:${space}+|${space}*,${space}*)$`)
const separatorSpace = /[\t\n\f\r ,]*/y
const comparator = new RegExp(`(!=|>=|=>|<=|=<|~>|=|>|<|~|\\^)?${space}*${partial}`, 'y')
const onlySpace = new RegExp(`^${space}*$`)

/** The alternatives of a range, each a list of comparators; undefined for a text that is not a range. */
function alternativesOf(range: string): Comparator[][] | undefined {
  if (Buffer.byteLength(range) > maxRangeLength) return undefined
  const texts = withoutHyphens(range === '' ? '*' : range).split('||')
  if (texts.length > maxAlternatives) return undefined
  const alternatives = texts.map(comparatorsOf)
  return alternatives.every((one) => one !== undefined) ? alternatives : undefined
}

/** Replaces each range with a hyphen by two comparators: `1 - 2` contains both of its ends. */
function withoutHyphens(range: string): string {
  let text = range
  for (const [matched, from, , , , , , to] of range.matchAll(hyphenRange))
    text = text.replace(matched, () => `>= ${from}, <= ${to} `)
  return text
}

/** The comparators of one alternative; undefined for a text that is not a list of comparators. */
function comparatorsOf(text: string): Comparator[] | undefined {
  const comparators: Comparator[] = []
  for (let position = 0; ; ) {
    separatorSpace.lastIndex = position
    const [skipped = ''] = separatorSpace.exec(text) ?? []
    position += skipped.length
    if (position === text.length)
      return comparators.length > 0 && onlySpace.test(skipped) ? comparators : undefined
    const isSeparated = comparators.length === 0 ? onlySpace.test(skipped) : separator.test(skipped)
    comparator.lastIndex = position
    const parts = isSeparated ? comparator.exec(text) : null
    const read = parts && readComparator(parts)
    if (!read) return undefined
    comparators.push(read)
    position = comparator.lastIndex
  }
}

const isOpen = (part: string | undefined) => part === undefined || /^[xX*]$/.test(part)

/**
 * Reads a comparator. `statedCount` is the number of its parts that are numbers, from 0 to 3; the others may have any
 * value.
 */
function readComparator(parts: RegExpExecArray): Comparator | undefined {
  const [, operator = '', major = '', minor, patch, prerelease = '', build = ''] = parts
  const firstOpen = [major, minor, patch].findIndex(isOpen)
  const statedCount = (firstOpen < 0 ? 3 : firstOpen) as Comparator['statedCount']
  const statedNumbers = [major, minor, patch].slice(0, statedCount)
  const filled = [...statedNumbers, '0', '0', '0'].slice(0, 3).join('.')
  const version = readVersion(`${filled}${prerelease}${statedCount === 3 ? build : ''}`)
  return version && { operator, version, statedCount }
}

const quoted = (text: string) => JSON.stringify(text.slice(0, maxRangeLength))
