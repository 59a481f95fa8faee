import type { CelEnvironment } from '../cel-library.js'
import { Comparable } from '../equality-key.js'
import { addFunctions } from './function-library.js'

const numberPattern = '(0|[1-9]\\d*)'
const identifiers = '[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*'
const semverPattern = new RegExp(
  `^${numberPattern}\\.${numberPattern}\\.${numberPattern}(?:-(${identifiers}))?(?:\\+${identifiers})?$`,
)

/** A version, see https://semver.org. */
class Semver extends Comparable {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly preRelease: readonly string[]

  constructor(numbers: readonly [bigint, bigint, bigint], before: readonly string[]) {
    super()
    this.numbers = numbers
    this.preRelease = before
  }

  override equals(other: unknown): boolean {
    return other instanceof Semver && this.compare(other) === 0
  }

  override get equalityKey(): string {
    return `version ${this.numbers.join('.')}-${this.preRelease.join('.')}`
  }

  compare(other: Semver): number {
    const differsAt = this.numbers.findIndex((number, position) => number !== other.numbers[position])
    if (differsAt >= 0) return (this.numbers[differsAt] ?? 0n) < (other.numbers[differsAt] ?? 0n) ? -1 : 1
    if (this.preRelease.length === 0 || other.preRelease.length === 0) {
      return Number(this.preRelease.length === 0) - Number(other.preRelease.length === 0)
    }
    return compareLists(this.preRelease, other.preRelease)
  }
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  const differsAt = left.findIndex((part, position) => part !== right[position])
  const [a, b] = [left[differsAt], right[differsAt]]
  if (a === undefined) return left.length - right.length
  return b === undefined ? 1 : compareParts(a, b)
}

/** Numbers come before text. */
function compareParts(a: string, b: string): number {
  const [isA, isB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isA !== isB) return isA ? -1 : 1
  if (isA) return Number(a) - Number(b)
  return a < b ? -1 : 1
}

function parse(text: string, isLenient = false): Semver | undefined {
  const [, major = '0', minor = '0', patch = '0', before = ''] =
    semverPattern.exec(isLenient ? normalizeVersion(text) : text) ?? []
  if (!semverPattern.test(isLenient ? normalizeVersion(text) : text)) return undefined
  return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], before === '' ? [] : before.split('.'))
}

/** Completes a lenient version: `v1.2` and `01.2` become `1.2.0`. */
function normalizeVersion(text: string): string {
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(text) ?? []
  const numbers = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''))
  return [...numbers, ...Array<string>(Math.max(0, 3 - numbers.length)).fill('0')].join('.') + rest
}

function semverOf(text: string, isLenient = false): Semver {
  const version = parse(text, isLenient)
  if (version === undefined) throw new Error('No Major.Minor.Patch elements found')
  return version
}

const semver = 'kubernetes.Semver'

/** Adds Kubernetes' functions for versions. */
export function addSemver(environment: CelEnvironment): void {
  environment.registerType(semver, { ctor: Semver, fields: {} })
  environment.registerOperator(`${semver} == ${semver}: bool`, (a: Semver, b: Semver) => a.equals(b))
  addFunctions(environment, {
    [`semver(string): ${semver}`]: (text: string) => semverOf(text),
    [`semver(string, bool): ${semver}`]: semverOf,
    'isSemver(string): bool': (text: string) => parse(text) !== undefined,
    'isSemver(string, bool): bool': (text: string, lenient: boolean) => parse(text, lenient) !== undefined,
    [`${semver}.isGreaterThan(${semver}): bool`]: (a: Semver, b: Semver) => a.compare(b) > 0,
    [`${semver}.isLessThan(${semver}): bool`]: (a: Semver, b: Semver) => a.compare(b) < 0,
    [`${semver}.compareTo(${semver}): int`]: (a: Semver, b: Semver) => BigInt(Math.sign(a.compare(b))),
    [`${semver}.major(): int`]: ({ numbers }: Semver) => numbers[0],
    [`${semver}.minor(): int`]: ({ numbers }: Semver) => numbers[1],
    [`${semver}.patch(): int`]: ({ numbers }: Semver) => numbers[2],
  })
}
