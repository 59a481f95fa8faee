import type { ASTNode } from '@marcbachmann/cel-js'
import { type Estimate, type Estimator, type Scope, textFactor, times } from './estimator.js'
import { scalar, unknownValue, type Value } from './value.js'

/** A call of a function, or of a member that does not iterate. */
export interface Call {
  readonly name: string
  readonly receiver?: ASTNode
  readonly args: readonly ASTNode[]
  readonly scope: Scope
  readonly estimator: Estimator
}

/** Functions whose result is a number, a boolean, or another value of a fixed size. */
const scalarResults: ReadonlySet<string> = new Set(
  `has size int uint double bool type duration timestamp contains startsWith endsWith matches isSorted indexOf lastIndexOf
  isURL isIP isCIDR isQuantity isSemver quantity semver url ip cidr sign isInteger asInteger asApproximateFloat isGreaterThan
  isLessThan compareTo getFullYear getMonth getDayOfYear getDate getDayOfMonth getDayOfWeek getHours getMinutes getSeconds
  getMilliseconds containsIP containsCIDR masked prefixLength family isUnspecified isLoopback hasValue equivalent
  intersects major minor patch`.split(/\s+/),
)
/** Functions whose result is their receiver, or smaller. */
const sameResults: ReadonlySet<string> = new Set(
  'lowerAscii upperAscii substring trim value orValue optMap dyn sort distinct reverse slice'.split(' '),
)
/** Functions that compare or count the elements of a list. */
const listFunctions: ReadonlySet<string> = new Set('isSorted sum min max indexOf lastIndexOf'.split(' '))
/** Functions that may compare each element with each other one. */
const quadratic: ReadonlySet<string> = new Set('sort distinct sortBy flatten'.split(' '))

/** Estimates a call. An unknown function reads all it is given, and returns anything. */
export function estimateCall({ name, receiver, args, scope, estimator }: Call): Estimate {
  const isNamespace = receiver?.op === 'id' && !Object.hasOwn(scope, receiver.args)
  const target = receiver && !isNamespace ? estimator.estimate(receiver, scope) : undefined
  const given = args.map((arg) => estimator.estimate(arg, scope))
  const values = [...(target ? [target.value] : []), ...given.map(({ value }) => value)]
  const inputs = given.reduce((sum, { cost }) => sum + cost, target?.cost ?? 0)
  noteUnlimited(name, { values, isNamespace }, estimator)
  const own = isNamespace ? namespaceCost(values) : ownCost(name, values)
  return { cost: inputs + own, value: resultOf(name, values), path: '' }
}

function noteUnlimited(
  name: string,
  { values, isNamespace }: { values: readonly Value[]; isNamespace: boolean },
  { unlimited }: Estimator,
): void {
  const iterates = isNamespace || listFunctions.has(name) || quadratic.has(name) || name === 'join'
  for (const value of iterates ? values : [])
    if (value.unlimited !== undefined) unlimited.add(value.unlimited)
}

/**
 * The size of a list with all its elements. A kube-apiserver knows the elements of fields alone, so those of a list that an
 * expression makes count as endless.
 */
function sizeWithElements({ size, element, schema }: Value): number {
  const isKnown = schema !== undefined || element === undefined || element.size === 1
  return times(size, 1 + (isKnown ? textFactor * (element?.size ?? 0) : Number.POSITIVE_INFINITY))
}

const totalSize = ({ size, element }: Value): number =>
  times(size, element ? 1 + textFactor * totalSize(element) : 1)

/** `sets.contains(a, b)` and its siblings compare each element of one list with each of the other. */
function namespaceCost(values: readonly Value[]): number {
  return values.reduce((product, value) => times(product, totalSize(value) + 1), 1) + 2
}

function ownCost(name: string, values: readonly Value[]): number {
  const [first = scalar, second = scalar] = values
  switch (name) {
    case 'has':
    case 'size':
    case 'dyn':
    case 'type':
      return 1
    case 'matches':
    case 'find':
    case 'findAll':
      return times(textFactor * (first.size + 1) + 1, 0.25 * second.size + 1)
    case 'contains':
      return times(textFactor * first.size + 1, textFactor * second.size + 1)
    case 'startsWith':
    case 'endsWith':
      return textFactor * second.size + 1
    default:
      return otherCost(name, values)
  }
}

function otherCost(name: string, values: readonly Value[]): number {
  const [first = scalar] = values
  if (quadratic.has(name)) return times(first.size, totalSize(first)) + 1
  if (listFunctions.has(name) || name === 'join') return sizeWithElements(first) + 1
  return values.reduce((sum, value) => sum + 2 * textFactor * value.size, 1)
}

function resultOf(name: string, values: readonly Value[]): Value {
  const [first = scalar, second = scalar, third = scalar] = values
  if (scalarResults.has(name)) return scalar
  if (sameResults.has(name)) return first
  if (['sum', 'min', 'max'].includes(name)) return first.element ?? scalar
  if (name === 'replace') return { size: times(first.size + 1, third.size) + first.size }
  if (name === 'split' || name === 'findAll') return { size: first.size, element: { size: first.size } }
  if (name === 'find') return { size: first.size }
  if (name === 'join') return { size: sizeWithElements(first) / textFactor + times(first.size, second.size) }
  return unknownValue
}
