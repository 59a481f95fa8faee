/**
 * Finds the CEL rules of a kind that a kube-apiserver refuses because they may cost too much.
 *
 * It promises to name each rule that a kube-apiserver would refuse for its cost, and the list, map or text that needs a limit.
 * It may refuse a rule that a server takes, since it never estimates less. It leaves types and syntax to the API server.
 */
import { cel } from '../../../engine/kube/lazy-packages.js'
import type { Kind } from '../define/kind.js'
import type { CelRule, JsonSchema } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'
import { makeEstimator } from './estimate.js'
import { largestCount, largestSize } from './schema-size.js'
import { boundOf } from './value.js'

/** A kube-apiserver refuses a rule above this estimated cost; `StaticEstimatedCostLimit`. */
const maxRuleCost = 10_000_000
/** It refuses a version whose rules are above this one together; `StaticEstimatedCRDCostLimit`. */
const maxVersionCost = 100_000_000

/** A scope of rules: its schema, and how often it can occur in an object. */
interface RuleScope {
  readonly path: string
  readonly schema: JsonSchema
  /** `undefined` if a list or a map around it has no limit. */
  readonly count: number | undefined
  /** The list or the map around it that has no limit. */
  readonly unlimited?: string
}

/**
 * The problems of the CEL rules of a kind. It loads a CEL library: call it in tests and tools, not when a program starts.
 *
 * @example
 * ```ts
 * const problems = ruleProblems(backups)
 * if (problems.length > 0) console.error(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
 * ```
 */
export function ruleProblems(kind: Pick<Kind, 'schemas'>): KindProblem[] {
  return kind.schemas.flatMap(({ schema, name }, at) => {
    const scopes = scopesOf({
      path: at === 0 ? '' : `versions.${name}.`,
      schema: withMetadata(schema),
      count: 1,
    })
    const estimates = scopes.flatMap(estimatesAt)
    const total = estimates.reduce((sum, { cost }) => sum + Math.min(cost, maxRuleCost), 0)
    const problems = estimates.flatMap(({ problem }) => problem ?? [])
    if (problems.length > 0 || total <= maxVersionCost) return problems
    const message = `cost ${percent(total, maxVersionCost)} of what a version may cost together; limit lists, maps and texts`
    return [{ path: name, construct: 'rules', message }]
  })
}

/** CEL sees the name of an object, and nothing else of its metadata. */
function withMetadata(schema: JsonSchema): JsonSchema {
  const text: JsonSchema = { type: 'string' }
  const metadata: JsonSchema = { type: 'object', properties: { name: text, generateName: text } }
  return { ...schema, properties: { ...schema.properties, metadata } }
}

function scopesOf(scope: RuleScope): RuleScope[] {
  const { path, schema, count } = scope
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    scopesOf({
      ...scope,
      path: path === '' || path.endsWith('.') ? path + name : `${path}.${name}`,
      schema: field,
    }),
  )
  const inner = schema.items ?? schema.additionalProperties
  if (inner === undefined) return [scope, ...fields]
  const isLimited = (schema.items ? schema.maxItems : schema.maxProperties) !== undefined
  const element: RuleScope = {
    ...scope,
    path: path + (schema.items ? '[]' : '{}'),
    schema: inner,
    count: isLimited && count !== undefined ? count * largestSize(schema) : undefined,
    ...(!isLimited && { unlimited: scope.unlimited ?? path }),
  }
  return [scope, ...fields, ...scopesOf(element)]
}

interface RuleEstimate {
  readonly cost: number
  readonly problem?: KindProblem
}

function estimatesAt(scope: RuleScope): RuleEstimate[] {
  return (scope.schema['x-kubernetes-validations'] ?? []).flatMap((rule) => [
    estimateRule(rule.rule, rule, scope),
    ...(rule.messageExpression === undefined ? [] : [estimateRule(rule.messageExpression, rule, scope)]),
  ])
}

function estimateRule(expression: string, rule: CelRule, scope: RuleScope): RuleEstimate {
  const construct = `rule ${JSON.stringify(rule.rule)}`
  const found = (cost: number, message: string) => ({
    cost,
    problem: { path: scope.path || 'object', construct, message },
  })
  const estimator = makeEstimator()
  const self = { value: boundOf(scope.schema, 'self'), path: 'self' }
  const ast = parse(expression)
  if (typeof ast === 'string') return found(0, `is not CEL: ${ast}`)
  const once = estimator.estimate(ast, { self, oldSelf: { ...self, path: 'oldSelf' } }).cost
  const cost = once * (scope.count ?? largestCount(scope.schema))
  const unlimited = [...estimator.unlimited].map((path) => path.replace(/^self/, scope.path || 'object'))
  if (unlimited.length > 0) {
    return found(
      cost,
      `iterates over ${unlimited.join(' and ')}, which has no limit; add .max(...), or k.record with maxProperties`,
    )
  }
  if (cost <= maxRuleCost) return { cost }
  const around = scope.unlimited === undefined ? 'lists, maps and texts that it reads' : scope.unlimited
  return found(
    cost,
    `may cost ${percent(cost, maxRuleCost)} of what a rule may cost; limit ${around} with .max(...)`,
  )
}

const percent = (cost: number, limit: number) =>
  Number.isFinite(cost) ? `${Math.ceil((cost / limit) * 100)} %` : 'any multiple'

function parse(expression: string) {
  const { Environment } = cel()
  const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })
  try {
    return environment.parse(expression).ast
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}
