import type { ASTNode } from '@marcbachmann/cel-js'
import type { Declared } from './declared.js'
import { estimateBinary } from './estimate-binary.js'
import { estimateCall } from './estimate-call.js'
import { estimateMacro } from './estimate-macro.js'
import {
  type CelVariables,
  type Estimate,
  type Estimator,
  sizeOf,
  sizeOrAny,
  typeOf,
  type Value,
} from './estimator.js'
import { eitherEntries, eitherSize, exactly, type Size } from './sizes.js'

/**
 * Makes an estimator for the rules of a type. It follows the cost model of a kube-apiserver, and records the parts of a
 * rule whose cost it does not know.
 */
export function makeEstimator(root: Declared): Estimator {
  const estimator: Estimator = {
    root,
    estimate: (node, scope) => estimateNode(node, scope, estimator),
    unknown: new Set(),
    unlimited: new Set(),
  }
  return estimator
}

function estimateNode(node: ASTNode, scope: CelVariables, estimator: Estimator): Estimate {
  switch (node.op) {
    case 'value':
      return estimateConstant(node.args)
    case 'id':
      return estimateName(node.args, scope, estimator)
    case '.':
    case '.?':
      return estimateField(node, scope, estimator)
    case 'call':
      return estimateCall({ name: node.args[0], args: node.args[1], scope, estimator })
    case 'rcall':
      return estimateMember(node.args, scope, estimator)
    case 'list':
    case 'map':
      return estimateLiteral(node, scope, estimator)
    case '?:':
      return estimateChoice(node.args, scope, estimator)
    case '!_':
    case '-_':
      return estimateUnary(node, scope, estimator)
    default:
      return estimateBinary(node, scope, estimator)
  }
}

function estimateConstant(value: unknown): Estimate {
  const constant = (name: string, size: number): Estimate => ({
    cost: 0,
    type: typeOf(name),
    path: [],
    size: exactly(size),
  })
  if (typeof value === 'string') return constant('string', [...value].length)
  if (value instanceof Uint8Array) return constant('bytes', value.length)
  if (typeof value === 'bigint') return constant('int', 1)
  if (typeof value === 'number') return constant('double', 1)
  if (typeof value === 'boolean') return constant('bool', 1)
  return constant(value === null ? 'null' : 'uint', 1)
}

function estimateName(name: string, scope: CelVariables, { root }: Estimator): Estimate {
  // A name that is not a variable is the name of a type, such as `string`.
  const variable: Value = Object.hasOwn(scope, name)
    ? (scope[name] ?? { type: typeOf('type'), path: [] })
    : { type: typeOf('type'), path: [name] }
  return { ...variable, cost: 1, size: sizeOf(root, variable) }
}

/** A field of an optional, or of a value of any type, costs nothing more. */
function estimateField(
  node: Extract<ASTNode, { op: '.' | '.?' }>,
  scope: CelVariables,
  estimator: Estimator,
): Estimate {
  const [object, name] = node.args
  const { cost, type, path } = estimator.estimate(object, scope)
  const field = (type.name === 'optional' ? type.element : type) ?? typeOf('dyn')
  const fieldType =
    field.fields?.get(name) ?? (field.name === 'map' ? field.element : undefined) ?? typeOf('dyn')
  if (node.op === '.?' || type.name === 'optional') {
    const result = fieldType.name === 'optional' ? fieldType : typeOf('optional', fieldType)
    const value: Value = { type: result, path: node.op === '.' ? [...path, name] : [] }
    return { ...value, cost: cost + (node.op === '.?' ? 1 : 0), size: sizeOf(estimator.root, value) }
  }
  const ownMembers = type.name === 'object' || type.name === 'map' ? 1 : 0
  const value: Value = { type: fieldType, path: [...path, name] }
  return { ...value, cost: cost + ownMembers, size: sizeOf(estimator.root, value) }
}

function estimateMember(
  [name, receiver, args]: [string, ASTNode, ASTNode[]],
  scope: CelVariables,
  estimator: Estimator,
): Estimate {
  const call = { name, receiver, args, scope, estimator }
  return estimateMacro(call) ?? estimateCall(call)
}

function estimateLiteral(
  node: Extract<ASTNode, { op: 'list' | 'map' }>,
  scope: CelVariables,
  { estimate }: Estimator,
): Estimate {
  const isList = node.op === 'list'
  const keys = isList ? [] : node.args.map(([key]) => estimate(key, scope))
  const values = (isList ? node.args : node.args.map(([, value]) => value)).map((one) => estimate(one, scope))
  const cost = [...keys, ...values].reduce((sum, one) => sum + one.cost, isList ? 10 : 30)
  const types = new Set(values.map(({ type }) => type.name))
  const element = types.size === 1 && values[0] ? values[0].type : typeOf('dyn')
  return {
    cost,
    type: typeOf(node.op, element),
    path: [],
    size: exactly(node.args.length),
    entries: { container: node.op, key: isList ? exactly(1) : unionSize(keys), value: unionSize(values) },
  }
}

const unionSize = (values: readonly Value[]): Size =>
  values.length === 0 ? exactly(0) : values.map(sizeOrAny).reduce(eitherSize)

function estimateChoice(
  [condition, yes, no]: [ASTNode, ASTNode, ASTNode],
  scope: CelVariables,
  { estimate }: Estimator,
): Estimate {
  const [first, then, other] = [
    estimate(condition, scope),
    estimate(yes, scope),
    estimate(no, scope),
  ] as const
  return {
    cost: first.cost + Math.max(then.cost, other.cost),
    type: then.type.name === 'dyn' || then.type.name === 'null' ? other.type : then.type,
    path: [],
    size: eitherSize(sizeOrAny(then), sizeOrAny(other)),
    entries: eitherEntries(then.entries, other.entries),
  }
}

/** Estimates a negation; a negative number is a literal and costs nothing. */
function estimateUnary(
  { op, args }: Extract<ASTNode, { op: '!_' | '-_' }>,
  scope: CelVariables,
  { estimate }: Estimator,
): Estimate {
  const { cost, type } = estimate(args, scope)
  const isLiteral = op === '-_' && args.op === 'value'
  return { cost: isLiteral ? 0 : cost + 1, type, path: [], size: exactly(1) }
}
