import { cel } from '../../../engine/kube/lazy-packages.js'
import type { CelRule } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'
import { type Declared, declare } from './declared.js'
import { makeEstimator } from './estimate.js'
import { typeOf, type Value } from './estimator.js'
import type { RuleScope } from './rule-scopes.js'
import { maxOccurrences } from './schema-size.js'
import { times } from './sizes.js'

/** A kube-apiserver refuses an expression above this estimated cost; `StaticEstimatedCostLimit`. */
export const maxRuleCost = 10_000_000

/** The estimated cost of a rule, or of the expression of its message. */
export interface RuleCost {
  readonly rule: CelRule
  readonly path: string
  readonly cost: number
  /** Whether the costs of all parts are known. */
  readonly isKnown: boolean
  readonly problem?: KindProblem
}

/** The costs of the rules of a node. Rules that are not to be checked are left out. */
export function ruleCosts(scope: RuleScope): RuleCost[] {
  const root = declare(scope.schema) ?? { name: 'dyn', size: 0, bytes: 0 }
  const rules = scope.schema['x-kubernetes-validations'] ?? []
  return rules
    .filter(({ unchecked }) => unchecked === undefined)
    .flatMap((rule) => [
      costOf({ rule, expression: rule.rule, scope, root, count: scope.count ?? maxOccurrences(root.bytes) }),
      ...(rule.messageExpression === undefined
        ? []
        : [costOf({ rule, expression: rule.messageExpression, scope, root, count: 1 })]),
    ])
}

interface Expression {
  readonly rule: CelRule
  readonly expression: string
  readonly scope: RuleScope
  readonly root: Declared
  /** How often it is evaluated for one object. */
  readonly count: number
}

function costOf({ rule, expression, scope, root, count }: Expression): RuleCost {
  const path = scope.path || 'object'
  const found = (cost: number, isKnown: boolean, message: string): RuleCost => {
    const problem = { path, construct: `rule ${JSON.stringify(rule.rule)}`, message }
    return { rule, path, cost, isKnown, problem }
  }
  const ast = parse(expression)
  if (typeof ast === 'string') return found(0, true, `is not CEL: ${ast}`)
  const estimator = makeEstimator(root)
  const cost = times(estimator.estimate(ast, variables(rule, root)).cost, count)
  const unknown = [...estimator.unknown]
  if (cost <= maxRuleCost) return { rule, path, cost, isKnown: unknown.length === 0 }
  if (unknown.length > 0)
    return found(cost, false, `may cost too much; the cost of ${unknown.join(', ')} is not known here`)
  const read = [...estimator.unlimited].map((one) => path + one)
  const open = scope.unlimited === undefined ? read : [...read, scope.unlimited]
  return found(cost, true, `may cost ${percent(cost)} of what a rule may cost${cureOf(open)}`)
}

function variables({ optionalOldSelf }: CelRule, root: Declared): Readonly<Record<string, Value>> {
  const size = { min: 0, max: root.size }
  const type = optionalOldSelf === true ? typeOf('optional', root) : root
  return { self: { type: root, path: ['self'], size }, oldSelf: { type, path: ['oldSelf'], size } }
}

function cureOf(open: readonly string[]): string {
  if (open.length === 0) return '; limit lists, maps and texts that it reads with .max(...)'
  return `, because ${open.join(' and ')} has no limit; add .max(...), or k.record with maxProperties`
}

const percent = (cost: number) =>
  Number.isFinite(cost) ? `${Math.ceil((cost / maxRuleCost) * 100)} %` : 'any multiple'

function parse(expression: string) {
  const { Environment } = cel()
  const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })
  try {
    return environment.parse(expression).ast
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}
