import type { ASTNode } from '@marcbachmann/cel-js'
import { callCost } from './call-costs.js'
import { type CelVariables, type Estimate, type Estimator, sizeOf, typeOf, type Value } from './estimator.js'
import { resultTypeOf } from './result-types.js'

/** A call of a function, or of a member that does not iterate. */
export interface CelCall {
  readonly name: string
  readonly receiver?: ASTNode
  readonly args: readonly ASTNode[]
  readonly scope: CelVariables
  readonly estimator: Estimator
}

/** Estimates a call. An unknown function may cost anything, and its result may have any size. */
export function estimateCall({ name, receiver, args, scope, estimator }: CelCall): Estimate {
  if (name === 'has' && args[0]) return estimateHas(args[0], scope, estimator)
  const space = receiver?.op === 'id' && !Object.hasOwn(scope, receiver.args) ? receiver.args : undefined
  const target = receiver && space === undefined ? estimator.estimate(receiver, scope) : undefined
  const argEstimates = args.map((arg) => estimator.estimate(arg, scope))
  const inputs = argEstimates.reduce((sum, { cost }) => sum + cost, target?.cost ?? 0)
  if (name === 'dyn' && argEstimates[0])
    return { ...argEstimates[0], type: typeOf('dyn'), path: [], cost: inputs + 1 }
  const full = space === undefined ? name : `${space}.${name}`
  const { cost, size } = callCost({ name: full, target, args: argEstimates, nodes: args, estimator })
  const value: Value = { type: resultTypeOf(full, target, argEstimates), path: [] }
  return { ...value, cost: inputs + cost, size: size ?? sizeOf(estimator.root, value) }
}

/** The test whether a field exists costs as much as its object. */
function estimateHas(field: ASTNode, scope: CelVariables, { estimate }: Estimator): Estimate {
  const object = field.op === '.' || field.op === '.?' ? field.args[0] : field
  return { cost: estimate(object, scope).cost, type: typeOf('bool'), path: [], size: { min: 1, max: 1 } }
}
