import type { ASTNode } from '@marcbachmann/cel-js'
import { declaredAt } from './declared.js'
import { type Estimator, sizeOrAny, type Value } from './estimator.js'
import { noteOpen } from './note-open.js'
import { anySize, exactly, partOf, patternFactor, type Size, textFactor, times } from './sizes.js'

/** A function and what it is called with. */
export interface CalledFunction {
  /** With its namespace, for example `sets.contains`. */
  readonly name: string
  readonly target: Value | undefined
  readonly args: readonly Value[]
  readonly nodes: readonly ASTNode[]
  readonly estimator: Estimator
}

/** The cost of a call besides that of its inputs, and the size of its result if it does not follow from its type. */
export interface CallCost {
  readonly cost: number
  readonly size?: Size | undefined
}

type CostOf = (call: CalledFunction) => CallCost

/** The assumed length of a pattern of the library of formats, in characters. */
const formatPatternLength = 128
/** The bytes that a comparison of two addresses reads: 16 of each. */
const twoAddressBytes = 32

const targetOf = ({ target, args: [first] }: CalledFunction): Size =>
  sizeOrAny(target ?? first ?? { ...unsized })
const argOf = ({ args }: CalledFunction, index: number): Size => sizeOrAny(args[index] ?? { ...unsized })
const unsized: Value = { type: { name: 'dyn' }, path: [] }

const fixedCost: CostOf = () => ({ cost: 1 })
/** The cost of a function that reads a text once and returns a text of the same size. */
const traversalCost: CostOf = (call) => ({
  cost: partOf(targetOf(call).max, textFactor),
  size: targetOf(call),
})
/** The cost of a function that reads a text once and returns another value. */
const readingCost: CostOf = ({ args: [text = unsized] }) => ({
  cost: partOf(sizeOrAny(text).max, textFactor),
})

const searchCost: CostOf = (call) => {
  const text = partOf(targetOf(call).max + 1, textFactor)
  return { cost: times(text, partOf(argOf(call, 0).max, patternFactor)) }
}

const setsCost =
  (factor: number): CostOf =>
  ({ args, estimator }) => {
    for (const list of args) noteOpen(list, estimator)
    const [a = unsized, b = unsized] = args
    return { cost: partOf(times(sizeOrAny(a).max, sizeOrAny(b).max), factor) + 1 }
  }

/** The cost of comparing the elements of a list; only texts among them have a size. */
const elementsCost: CostOf = (call) => {
  const { target = unsized, estimator } = call
  const { element } = target.type
  if (element === undefined) return { cost: partOf(targetOf(call).max, textFactor) }
  noteOpen(target, estimator)
  const isText = element.name === 'string' || element.name === 'bytes'
  const each = 1 + (isText ? partOf(elementSize(target, estimator), textFactor) : 0)
  return { cost: times(targetOf(call).max, each) }
}

/** A server knows only the elements of fields: an element of a list that an expression makes may have any size. */
function elementSize({ path }: Value, { root }: Estimator): number {
  return declaredAt(root, path.length === 0 ? [] : [...path, '@items'])?.size ?? anySize.max
}

const join: CostOf = (call) => {
  const { target = unsized, estimator, args } = call
  noteOpen(target, estimator)
  const count = targetOf(call).max
  const texts = times(count, elementSize(target, estimator))
  const max = texts + (args.length > 0 ? times(argOf(call, 0).max, Math.max(0, count - 1)) : 0)
  return { cost: partOf(max, textFactor), size: { min: 0, max } }
}

const split: CostOf = (call) => {
  const { max } = targetOf(call)
  const size = { min: 0, max: numberOf(call.nodes[1]) ?? max }
  return { cost: partOf(max, 2 * textFactor), size }
}

const replace: CostOf = (call) => {
  const [{ max }, old, replacement] = [targetOf(call), argOf(call, 0), argOf(call, 1)]
  return { cost: partOf(max, 2 * textFactor), size: { min: 0, max: replacedSize(max, old, replacement) } }
}

function replacedSize(max: number, old: Size, replacement: Size): number {
  if (old.min === 0) return times(max + 1, replacement.max) + max
  return replacement.max <= old.min ? max : times(Math.ceil(max / old.min), replacement.max)
}

const validate: CostOf = (call) => {
  const text = partOf(argOf(call, 0).max, textFactor)
  return { cost: times(text, formatPatternLength * patternFactor) }
}

const addressCost =
  (extra: number): CostOf =>
  ({ args: [other = unsized] }) => {
    const parsed = other.type.name === 'string' ? partOf(sizeOrAny(other).max, textFactor) : 0
    return { cost: partOf(twoAddressBytes, textFactor) + extra + parsed }
  }

/** `string(x)` reads bytes; a text of any type may be bytes. */
const toText: CostOf = ({ args: [given = unsized] }) => {
  const { name } = given.type
  if (name !== 'bytes' && name !== 'dyn') return { cost: 1 }
  return { cost: Math.max(1, partOf(sizeOrAny(given).max, textFactor)), size: sizeOrAny(given) }
}

const toBytes: CostOf = ({ args: [text = unsized] }) => {
  const { min, max } = sizeOrAny(text)
  return { cost: partOf(max, textFactor), size: { min, max: max * 4 } }
}

const quote: CostOf = ({ args: [text = unsized] }) => {
  const { min, max } = sizeOrAny(text)
  return { cost: partOf(max, textFactor), size: { min: min + 2, max: max * 2 + 2 } }
}

/** The cost of a function that makes a list: of the list itself, and of each element. */
const listCost = (size: Size, factor = 1): CallCost => ({ cost: partOf(size.max, factor) + 11, size })

const squareOf = ({ min, max }: Size): Size => ({ min: times(min, min), max: times(max, max) })

const distinct: CostOf = (call) => overList(call, (size) => listCost(squareOf(size), 2))

const sort: CostOf = (call) => {
  const isText = ['string', 'bytes'].includes(call.target?.type.element?.name ?? '')
  return overList(call, (size) => listCost(squareOf(size), 2 + (isText ? textFactor : 0)))
}

const slice: CostOf = ({ nodes, ...call }) =>
  overList({ nodes, ...call }, ({ max }) => {
    const [start, end] = [numberOf(nodes[0]) ?? 0, numberOf(nodes[1]) ?? max]
    return listCost(exactly(Math.max(0, end - start)))
  })

const flatten: CostOf = (call) => {
  const depth = call.nodes.length === 0 ? 1 : (numberOf(call.nodes[0]) ?? anySize.max)
  return overList(call, (size) => listCost(size, depth))
}

const range: CostOf = ({ nodes: [end] }) => listCost(exactly(numberOf(end) ?? anySize.max))

function overList(call: CalledFunction, costOf: (size: Size) => CallCost): CallCost {
  if (call.target) noteOpen(call.target, call.estimator)
  return costOf(targetOf(call))
}

/** The integer of a literal; `undefined` for any other node. */
const numberOf = (node: ASTNode | undefined): number | undefined =>
  node?.op === 'value' && typeof node.args === 'bigint' ? Number(node.args) : undefined

const entriesFor = (names: string, cost: CostOf): [string, CostOf][] =>
  names.split(/\s+/).map((name) => [name, cost])

const costs: ReadonlyMap<string, CostOf> = new Map<string, CostOf>([
  ...entriesFor(
    `size type int uint double bool duration timestamp charAt optional.of optional.none optional.ofNonZeroValue hasValue value
    orValue or getFullYear getMonth getDayOfYear getDate getDayOfMonth getDayOfWeek getHours getMinutes getSeconds
    getMilliseconds sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch
    getScheme getHostname getHost getPort getEscapedPath getQuery masked prefixLength family isUnspecified isLoopback
    isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast isURL format.named format.dns1123Label format.dns1123Subdomain
    format.dns1035Label format.qualifiedName format.dns1123LabelPrefix format.dns1123SubdomainPrefix
    format.dns1035LabelPrefix format.labelValue format.uri format.uuid format.byte format.date format.datetime`,
    fixedCost,
  ),
  ...entriesFor('url jsonpatch.escapeKey lowerAscii upperAscii substring trim', traversalCost),
  ...entriesFor('cidr isIP isCIDR quantity isQuantity semver isSemver', readingCost),
  ...entriesFor('isSorted sum min max indexOf lastIndexOf', elementsCost),
  ...entriesFor('sets.contains sets.intersects', setsCost(1)),
  ['sets.equivalent', setsCost(2)],
  ['ip', ({ target, ...call }) => (target ? { cost: 1 } : readingCost({ target, ...call }))],
  ['ip.isCanonical', ({ args: [text = unsized] }) => ({ cost: partOf(sizeOrAny(text).max, 2 * textFactor) })],
  ['containsIP', addressCost(0)],
  // The mask is compared, too.
  ['containsCIDR', addressCost(partOf(twoAddressBytes / 2, textFactor) + 1)],
  ['validate', validate],
  ['matches', (call) => (call.target ? searchCost(call) : { cost: 1 })],
  ...entriesFor('find findAll', (call) => ({
    ...searchCost(call),
    size: { min: 0, max: targetOf(call).max },
  })),
  [
    'contains',
    (call) => ({
      cost: times(partOf(targetOf(call).max, textFactor), partOf(argOf(call, 0).max, textFactor)),
    }),
  ],
  ...entriesFor('startsWith endsWith', (call) => ({ cost: partOf(argOf(call, 0).max, textFactor) })),
  ['format', (call) => ({ cost: partOf(targetOf(call).max, textFactor) })],
  ['join', join],
  ['split', split],
  ['replace', replace],
  ...entriesFor('first last', fixedCost),
  ['reverse', (call) => overList(call, (size) => listCost(size))],
  ['distinct', distinct],
  ['sort', sort],
  ['slice', slice],
  ['flatten', flatten],
  ['lists.range', range],
  ['string', toText],
  ['bytes', toBytes],
  ['strings.quote', quote],
])

/** The cost of a call. An unknown function is recorded, and may cost anything. */
export function callCost(call: CalledFunction): CallCost {
  const costOfCall = costs.get(call.name)
  if (costOfCall) return costOfCall(call)
  const { name, target, args, estimator } = call
  estimator.unknown.add(`${name}()`)
  for (const value of [...(target ? [target] : []), ...args]) noteOpen(value, estimator)
  return { cost: anySize.max, size: anySize }
}
