import type { ASTNode } from '@marcbachmann/cel-js'
import {
  type CelVariables,
  type Estimate,
  type Estimator,
  sizeOf,
  sizeOrAny,
  typeOf,
  type Value,
} from './estimator.js'
import { noteOpen } from './note-open.js'
import { type EntrySizes, exactly, times } from './sizes.js'

/** A call of a member. */
export interface MemberCall {
  readonly name: string
  readonly receiver: ASTNode
  readonly args: readonly ASTNode[]
  readonly scope: CelVariables
  readonly estimator: Estimator
}

/** A macro that iterates, as the loop that a server makes of it. */
interface Loop {
  /** The cost before and after all rounds. */
  readonly around: number
  /** The cost of a round besides that of the body. */
  readonly round: number
  readonly result: 'bool' | 'list' | 'map'
}

const loops: Readonly<Record<string, Loop>> = {
  all: { around: 1, round: 3, result: 'bool' },
  exists: { around: 1, round: 4, result: 'bool' },
  exists_one: { around: 2, round: 2, result: 'bool' },
  existsOne: { around: 2, round: 2, result: 'bool' },
  map: { around: 11, round: 12, result: 'list' },
  filter: { around: 11, round: 13, result: 'list' },
  transformList: { around: 11, round: 12, result: 'list' },
  transformMap: { around: 31, round: 3, result: 'map' },
  transformMapEntry: { around: 31, round: 2, result: 'map' },
}

/** Estimates a call that iterates or binds a name; `undefined` for any other call. */
export function estimateMacro(call: MemberCall): Estimate | undefined {
  const { name, receiver, args } = call
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel') return estimateBind(call)
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) return estimateOptional(call)
  const loop = Object.hasOwn(loops, name) ? loops[name] : undefined
  return loop && args.length > 1 ? estimateLoop(call, loop) : undefined
}

/** Estimates `cel.bind`, which a server implements as a loop over an empty list. */
function estimateBind({ args: [name, init, body], scope, estimator }: MemberCall): Estimate | undefined {
  if (name?.op !== 'id' || init === undefined || body === undefined) return undefined
  const bound = estimator.estimate(init, scope)
  const inner = estimator.estimate(body, { ...scope, [name.args]: bound })
  return { ...inner, path: [], cost: bound.cost + inner.cost + 10 }
}

/** `a.optMap(x, y)` is `a.hasValue() ? optional.of(cel.bind(x, a.value(), y)) : optional.none()`. */
function estimateOptional({ name, receiver, args, scope, estimator }: MemberCall): Estimate | undefined {
  const [variable, body] = args
  if (variable?.op !== 'id' || body === undefined) return undefined
  const { cost, type } = estimator.estimate(receiver, scope)
  const value: Value = { type: type.element ?? typeOf('dyn'), path: [] }
  const bound = { ...value, size: sizeOf(estimator.root, value) }
  const inner = estimator.estimate(body, { ...scope, [variable.args]: bound })
  const wrapped = name === 'optMap' ? 1 : 0
  return {
    cost: cost + 1 + (cost + 1 + inner.cost + 10) + wrapped,
    type: name === 'optMap' ? typeOf('optional', inner.type) : inner.type,
    path: [],
  }
}

function estimateLoop({ name, receiver, args, scope, estimator }: MemberCall, loop: Loop): Estimate {
  const range = estimator.estimate(receiver, scope)
  noteOpen(range, estimator)
  // The second argument of `map(x, condition, value)` is not a variable.
  const hasTwo = name !== 'map' && args.length > 2 && args[1]?.op === 'id'
  const names = args.slice(0, hasTwo ? 2 : 1)
  const inner = { ...scope, ...variablesOf(names, range, estimator) }
  const bodies = args.slice(names.length).map((body) => estimator.estimate(body, inner))
  const round = bodies.reduce((sum, { cost }) => sum + cost, loop.round)
  const size = sizeOrAny(range)
  const cost = range.cost + loop.around + times(size.max, round)
  if (loop.result === 'bool') return { cost, type: typeOf('bool'), path: [], size: exactly(1) }
  const result = name === 'filter' ? inner[nameOf(names.at(-1))] : bodies.at(-1)
  const type = typeOf(loop.result, result?.type ?? typeOf('dyn'))
  return { cost, type, path: [], size, ...(loop.result === 'list' && { entries: entriesOf(result) }) }
}

const nameOf = (node: ASTNode | undefined) => (node?.op === 'id' ? node.args : '')

/** A list begins empty, and each round adds a list of one element. */
const entriesOf = (result: Value | undefined): EntrySizes => ({
  container: 'list',
  key: exactly(1),
  value: { min: 0, max: result?.size?.max ?? Number.POSITIVE_INFINITY },
})

/** One variable is an element of a list or a key of a map; two are index and element, or key and value. */
function variablesOf(names: readonly ASTNode[], range: Value, { root }: Estimator): Record<string, Value> {
  const isList = (range.entries?.container ?? range.type.name) === 'list'
  const variable = (step: string, type: Value['type'], size: Value['size']): Value => {
    const value = { type, path: [...range.path, step], size }
    return { ...value, size: sizeOf(root, value) }
  }
  const element = variable(
    isList ? '@items' : '@values',
    range.type.element ?? typeOf('dyn'),
    range.entries?.value,
  )
  const key = isList
    ? variable('@indices', typeOf('int'), range.entries?.key)
    : variable('@keys', typeOf('string'), range.entries?.key)
  const bound = names.length === 2 ? [key, element] : [isList ? element : key]
  return Object.fromEntries(
    names.flatMap((name, index) => (name.op === 'id' && bound[index] ? [[name.args, bound[index]]] : [])),
  )
}
