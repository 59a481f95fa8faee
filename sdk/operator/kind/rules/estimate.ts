import type { ASTNode } from '@marcbachmann/cel-js'
import { estimateCall } from './estimate-call.js'
import { estimateMacro } from './estimate-macro.js'
import { type Estimate, type Estimator, type Scope, textFactor, type Variable } from './estimator.js'
import { eitherOf, fieldOf, scalar, unknownValue, type Value } from './value.js'

/** Makes an estimator. It never estimates less than a kube-apiserver does. */
export function makeEstimator(): Estimator {
  const estimator: Estimator = {
    estimate: (node, scope) => estimateNode(node, scope, estimator),
    unlimited: new Set(),
  }
  return estimator
}

const result = (cost: number, value: Value = scalar, path = ''): Estimate => ({ cost, value, path })

function estimateNode(node: ASTNode, scope: Scope, estimator: Estimator): Estimate {
  switch (node.op) {
    case 'value':
      return result(0, literal(node.args))
    case 'id':
      return Object.hasOwn(scope, node.args)
        ? { cost: 1, ...scopeOf(scope, node.args) }
        : result(1, unknownValue)
    case '.':
    case '.?':
      return estimateField(node.args, scope, estimator)
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
      return result(estimator.estimate(node.args, scope).cost + 1)
    default:
      return estimateBinary(node, scope, estimator)
  }
}

const scopeOf = (scope: Scope, name: string): Variable => scope[name] ?? { value: unknownValue, path: '' }

function literal(value: unknown): Value {
  return typeof value === 'string' || value instanceof Uint8Array ? { size: value.length } : scalar
}

function estimateField([object, name]: [ASTNode, string], scope: Scope, estimator: Estimator): Estimate {
  const { cost, value, path } = estimator.estimate(object, scope)
  return result(cost + 1, fieldOf(value, name, path), `${path}.${name}`)
}

function estimateMember(
  [name, receiver, args]: [string, ASTNode, ASTNode[]],
  scope: Scope,
  estimator: Estimator,
): Estimate {
  const call = { name, receiver, args, scope, estimator }
  return estimateMacro(call) ?? estimateCall(call)
}

function estimateLiteral(
  node: Extract<ASTNode, { op: 'list' | 'map' }>,
  scope: Scope,
  estimator: Estimator,
): Estimate {
  const parts = node.op === 'list' ? node.args : node.args.flat()
  const estimates = parts.map((part) => estimator.estimate(part, scope))
  const element = estimates.map(({ value }) => value).reduce(eitherOf, { size: 0 })
  const cost = estimates.reduce((sum, one) => sum + one.cost, node.op === 'list' ? 10 : 30)
  return result(cost, { size: node.args.length, element, ...(node.op === 'map' && { isMap: true }) })
}

function estimateChoice(
  [condition, yes, no]: [ASTNode, ASTNode, ASTNode],
  scope: Scope,
  estimator: Estimator,
) {
  const [first, then, other] = [condition, yes, no].map((part) => estimator.estimate(part, scope))
  const value = eitherOf(then?.value ?? scalar, other?.value ?? scalar)
  return result((first?.cost ?? 0) + Math.max(then?.cost ?? 0, other?.cost ?? 0), value)
}

function estimateBinary(node: ASTNode, scope: Scope, estimator: Estimator): Estimate {
  const [a, b] = node.args as [ASTNode, ASTNode]
  const [left, right] = [estimator.estimate(a, scope), estimator.estimate(b, scope)]
  const cost = left.cost + right.cost
  const sizes = [left.value.size, right.value.size]
  switch (node.op) {
    case '[]':
    case '[?]':
      return result(cost + 1, left.value.element ?? unknownValue, `${left.path}[]`)
    case 'in':
      if (right.value.isMap) return result(cost + 1)
      if (right.value.unlimited !== undefined) estimator.unlimited.add(right.value.unlimited)
      return result(cost + right.value.size + 1)
    case '+':
      return result(cost + 1 + textFactor * (left.value.size + right.value.size), {
        ...eitherOf(left.value, right.value),
        size: left.value.size + right.value.size,
      })
    case '&&':
    case '||':
    case '-':
    case '*':
    case '/':
    case '%':
      return result(cost + 1)
    default:
      return result(cost + 1 + textFactor * Math.min(...sizes))
  }
}
