import { cel } from '../../../engine/kube/lazy-packages.js'
import type { CelRule } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'
import { type Declared, declare } from './declared.js'
import { makeEstimator } from './estimate.js'
import { typeOf, type Value } from './estimator.js'
import type { RuleScope } from './rule-scopes.js'
import { maxOccurrences } from './schema-size.js'
import { times } from './sizes.js'

/** The estimated cost above which a kube-apiserver refuses an expression; its `StaticEstimatedCostLimit`. */
export const maxRuleCost = 10_000_000

/** The estimated cost of a rule, or of the expression of its message. */
export interface RuleCost {
  readonly rule: CelRule
  /** The path of the schema's node that has the rule. */
  readonly path: string
  /** In the units of kube-apiserver, for one object of the largest size. */
  readonly cost: number
  /** Whether the cost of every function in the expression is known. */
  readonly isKnown: boolean
  /** Why the rule is refused; absent for a rule that is cheap enough. */
  readonly problem?: KindProblem
}

/**
 * Estimates the cost of each rule of a schema's node, and of the expression of its message. `crd` and `manifest` report
 * the problems. Rules with `unchecked` are left out.
 */
export function estimateRules(scope: RuleScope): RuleCost[] {
  const root = declare(scope.schema) ?? { name: 'dyn', size: 0, bytes: 0 }
  const rules = scope.schema['x-kubernetes-validations'] ?? []
  return rules
    .filter(({ unchecked }) => unchecked === undefined)
    .flatMap((rule) => [
      estimateExpression({
        rule,
        expression: rule.rule,
        scope,
        root,
        count: scope.count ?? maxOccurrences(root.bytes),
      }),
      ...(rule.messageExpression === undefined
        ? []
        : [estimateExpression({ rule, expression: rule.messageExpression, scope, root, count: 1 })]),
    ])
}

/** One CEL expression of a rule, and the node of the schema that it belongs to. */
interface Expression {
  readonly rule: CelRule
  readonly expression: string
  readonly scope: RuleScope
  readonly root: Declared
  /** How often the expression is evaluated for one object. */
  readonly count: number
}

function estimateExpression({ rule, expression, scope, root, count }: Expression): RuleCost {
  const path = scope.path || 'object'
  const withProblem = (cost: number, isKnown: boolean, message: string): RuleCost => {
    const problem = { path, construct: `rule ${JSON.stringify(rule.rule)}`, message }
    return { rule, path, cost, isKnown, problem }
  }
  const ast = parse(expression)
  if (typeof ast === 'string') return withProblem(0, true, `is not CEL: ${ast}`)
  const estimator = makeEstimator(root)
  const cost = times(estimator.estimate(ast, ruleVariables(rule, root)).cost, count)
  const unknownCosts = [...estimator.unknown]
  if (cost <= maxRuleCost) return { rule, path, cost, isKnown: unknownCosts.length === 0 }
  if (unknownCosts.length > 0)
    return withProblem(
      cost,
      false,
      `may cost too much; the cost of ${unknownCosts.join(', ')} is not known here`,
    )
  const iteratedParts = [...estimator.unlimited].map((part) => path + part)
  const unlimitedParts = scope.unlimited === undefined ? iteratedParts : [...iteratedParts, scope.unlimited]
  return withProblem(
    cost,
    true,
    `may cost ${formatPercent(cost)} of what a rule may cost${adviceFor(unlimitedParts)}`,
  )
}

/** The variables of a rule, `self` and `oldSelf`, for the estimate. */
function ruleVariables({ optionalOldSelf }: CelRule, root: Declared): Readonly<Record<string, Value>> {
  const size = { min: 0, max: root.size }
  const type = optionalOldSelf === true ? typeOf('optional', root) : root
  return { self: { type: root, path: ['self'], size }, oldSelf: { type, path: ['oldSelf'], size } }
}

function adviceFor(unlimitedParts: readonly string[]): string {
  if (unlimitedParts.length === 0) return '; limit lists, maps and texts that it reads with .max(...)'
  return `, because ${unlimitedParts.join(' and ')} has no limit; add .max(...), or k.record with maxProperties`
}

const formatPercent = (cost: number) =>
  Number.isFinite(cost) ? `${Math.ceil((cost / maxRuleCost) * 100)} %` : 'any multiple'

/** The syntax tree of an expression, or a text that says why it is not CEL. */
function parse(expression: string) {
  const { Environment } = cel()
  const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })
  try {
    return environment.parse(expression).ast
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}
