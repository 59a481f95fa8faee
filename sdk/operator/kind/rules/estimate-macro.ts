import type { ASTNode } from '@marcbachmann/cel-js'
import type { Estimate, Estimator, Scope, Variable } from './estimator.js'
import { mapKey, scalar, unknownValue, type Value } from './value.js'

/** A call of a member. */
export interface MemberCall {
  readonly name: string
  readonly receiver: ASTNode
  readonly args: readonly ASTNode[]
  readonly scope: Scope
  readonly estimator: Estimator
}

/** The cost of one round besides that of the expressions in it. */
const perRound: Readonly<Record<string, number>> = {
  all: 5,
  exists: 5,
  exists_one: 5,
  existsOne: 5,
  map: 16,
  filter: 16,
  transformList: 16,
  transformMap: 50,
  transformMapEntry: 50,
}
const tests: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne'])
const lists: ReadonlySet<string> = new Set(['map', 'transformList'])

/** Estimates a call that iterates or binds a name; `undefined` for every other one. */
export function estimateMacro(call: MemberCall): Estimate | undefined {
  if (call.name === 'bind' && call.receiver.op === 'id' && call.receiver.args === 'cel')
    return estimateBind(call)
  const overhead = Object.hasOwn(perRound, call.name) ? perRound[call.name] : undefined
  return overhead === undefined ? undefined : estimateRounds(call, overhead)
}

function estimateBind({ args: [name, init, body], scope, estimator }: MemberCall): Estimate | undefined {
  if (name?.op !== 'id' || init === undefined || body === undefined) return undefined
  const bound = estimator.estimate(init, scope)
  const inner = estimator.estimate(body, { ...scope, [name.args]: bound })
  return { ...inner, cost: bound.cost + inner.cost + 10 }
}

function estimateRounds({ name, receiver, args, scope, estimator }: MemberCall, overhead: number): Estimate {
  const range = estimator.estimate(receiver, scope)
  if (range.value.unlimited !== undefined) estimator.unlimited.add(range.value.unlimited)
  // The second argument of `map(x, condition, value)` is not a variable.
  const hasTwo = name !== 'map' && args.length > 2 && args[1]?.op === 'id'
  const variables = args.slice(0, hasTwo ? 2 : 1)
  const bodies = args.slice(variables.length)
  const inner = { ...scope, ...variablesOf(variables, range) }
  const estimates = bodies.map((body) => estimator.estimate(body, inner))
  const round = estimates.reduce((sum, { cost }) => sum + cost, overhead)
  const last = estimates.at(-1)?.value ?? unknownValue
  return {
    cost: range.cost + 2 + (range.value.size === 0 ? 0 : range.value.size * round),
    value: resultOf(name, range.value, last),
    path: '',
  }
}

/** One variable is an element of a list or a key of a map; two are index and element, or key and value. */
function variablesOf(names: readonly ASTNode[], { value, path }: Estimate): Record<string, Variable> {
  const element = { value: value.element ?? unknownValue, path: `${path}${value.isMap ? '{}' : '[]'}` }
  const key = { value: value.isMap ? mapKey : scalar, path: '' }
  const bound = names.length === 2 ? [key, element] : [value.isMap ? key : element]
  return Object.fromEntries(
    names.flatMap((name, at) => (name.op === 'id' && bound[at] ? [[name.args, bound[at]]] : [])),
  )
}

function resultOf(name: string, range: Value, last: Value): Value {
  if (tests.has(name)) return scalar
  if (name === 'filter') return range.isMap ? { size: range.size, element: mapKey } : withoutSchema(range)
  if (lists.has(name)) return { size: range.size, element: last }
  return { size: range.size, element: last, isMap: true }
}

const withoutSchema = ({ size, element = unknownValue }: Value): Value => ({ size, element })
