import type { CelType } from './declared.js'
import { typeOf, type Value } from './estimator.js'

const entriesOf = (type: string, names: string): [string, string][] =>
  names.split(/\s+/).map((name) => [name, type])

/** The types of the results of functions. */
const typesByFunction: ReadonlyMap<string, string> = new Map([
  ...entriesOf(
    'bool',
    `bool contains startsWith endsWith matches isSorted isURL isIP isCIDR isQuantity isSemver isInteger isGreaterThan isLessThan
    containsIP containsCIDR isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast ip.isCanonical
    hasValue sets.contains sets.intersects sets.equivalent`,
  ),
  ...entriesOf(
    'int',
    `int size indexOf lastIndexOf asInteger compareTo sign getFullYear getMonth getDayOfYear getDate getDayOfMonth getDayOfWeek
    getHours getMinutes getSeconds getMilliseconds prefixLength family major minor patch`,
  ),
  ...entriesOf('double', 'double asApproximateFloat'),
  ...entriesOf('uint', 'uint'),
  ...entriesOf('bytes', 'bytes'),
  ...entriesOf('duration', 'duration'),
  ...entriesOf('timestamp', 'timestamp'),
  ...entriesOf(
    'string',
    `string charAt find format join lowerAscii upperAscii replace substring trim strings.quote getScheme getHostname getHost
    getPort getEscapedPath jsonpatch.escapeKey`,
  ),
  ...entriesOf('quantity', 'quantity add sub'),
  ...entriesOf('url', 'url'),
  ...entriesOf('ip', 'ip'),
  ...entriesOf('cidr', 'cidr masked'),
  ...entriesOf('semver', 'semver'),
  ...entriesOf('type', 'type'),
])

/** Functions whose result is a list like their target. */
const sameLists: ReadonlySet<string> = new Set(['distinct', 'reverse', 'slice', 'sort'])

/** The type of the result of a call; `dyn` for that of an unknown function. */
export function resultTypeOf(name: string, target: Value | undefined, args: readonly Value[]): CelType {
  const resultType = typesByFunction.get(name)
  if (resultType !== undefined) return typeOf(resultType)
  const [first] = args
  if (name === 'split' || name === 'findAll') return typeOf('list', typeOf('string'))
  if (['sum', 'min', 'max', 'value', 'orValue'].includes(name)) return target?.type.element ?? typeOf('dyn')
  if (sameLists.has(name)) return target?.type ?? typeOf('dyn')
  if (name === 'first' || name === 'last') return typeOf('optional', target?.type.element)
  if (name === 'flatten') return typeOf('list', target?.type.element?.element)
  if (name === 'lists.range') return typeOf('list', typeOf('int'))
  if (name === 'or') return target?.type ?? typeOf('dyn')
  if (name === 'optional.of' || name === 'optional.ofNonZeroValue') return typeOf('optional', first?.type)
  if (name === 'optional.none') return typeOf('optional')
  if (name === 'format.named') return typeOf('optional', typeOf('format'))
  if (name.startsWith('format.')) return typeOf('format')
  if (name === 'validate') return typeOf('optional', typeOf('list', typeOf('string')))
  return typeOf('dyn')
}
