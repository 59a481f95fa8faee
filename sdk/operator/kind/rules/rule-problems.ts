/**
 * Finds the CEL rules of a kind that a kube-apiserver refuses because their estimated cost is too high. The estimate
 * follows the cost model of kube-apiserver.
 *
 * An expensive rule is a problem if the costs of all its parts are known, and otherwise a warning. A rule that is not
 * CEL is a problem, too. Rules with the option `unchecked` (see `k.rule`) are left out. Types are not checked.
 */
import type { Kind } from '../define/kind.js'
import type { KindProblem } from '../schema/problem.js'
import { withMetadata } from './declared.js'
import { estimateRules, maxRuleCost, type RuleCost } from './rule-costs.js'
import { scopesOf } from './rule-scopes.js'

/** A kube-apiserver refuses a version if the sum of the costs of its rules is higher; `StaticEstimatedCRDCostLimit`. */
const maxVersionCost = 100_000_000

/** The findings about the rules of a kind. */
export interface RuleFindings {
  /** Rules that a kube-apiserver refuses. */
  readonly problems: readonly KindProblem[]
  /** Rules that it may refuse. */
  readonly warnings: readonly KindProblem[]
}

/** A kind, or the schemas of its versions. */
export type RuledVersions = Pick<Kind, 'schemas'> | { readonly schemas: readonly RuledVersion[] }

/** A version of a kind with its schema, which contains the rules. */
export type RuledVersion = Pick<Kind['schemas'][number], 'name' | 'schema'>

/**
 * The CEL rules of a kind that a kube-apiserver refuses. It loads a CEL library: call it in tests and tools, not when a
 * program starts.
 *
 * @example
 * ```ts
 * const problems = ruleProblems(backups)
 * if (problems.length > 0) console.error(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
 * ```
 */
export function ruleProblems(kind: RuledVersions): readonly KindProblem[] {
  return ruleFindings(kind).problems
}

/**
 * The CEL rules of a kind that a kube-apiserver refuses, and those that it may refuse.
 *
 * @example
 * ```ts
 * const { problems, warnings } = ruleFindings(backups)
 * console.log(problems.length, warnings.length) // 0 0
 * ```
 */
export function ruleFindings({ schemas }: RuledVersions): RuleFindings {
  // The paths of the first version have no prefix.
  const versions = schemas.map((version, index) =>
    versionFindings(version, index === 0 ? '' : `versions.${version.name}.`),
  )
  return {
    problems: versions.flatMap(({ problems }) => problems),
    warnings: versions.flatMap(({ warnings }) => warnings),
  }
}

function versionFindings({ name, schema }: RuledVersion, pathPrefix: string): RuleFindings {
  const scopes = scopesOf({ path: pathPrefix, schema: withMetadata(schema), count: 1 })
  const costs = scopes.flatMap((scope) => estimateRules(scope))
  const knownCosts = costs.filter(({ isKnown }) => isKnown)
  const uncertain = costs.filter(({ isKnown }) => !isKnown)
  const problems = knownCosts.flatMap(({ problem }) => problem ?? [])
  const warnings = uncertain.flatMap(({ problem }) => problem ?? [])
  // The sum is reported only if no rule is refused by itself.
  const sum = problems.length > 0 ? undefined : sumProblem(name, costs)
  if (sum === undefined) return { problems, warnings }
  return uncertain.length === 0 ? { problems: [sum], warnings } : { problems, warnings: [...warnings, sum] }
}

/** The problem of a version whose rules cost too much together; undefined if they do not. */
function sumProblem(version: string, costs: readonly RuleCost[]): KindProblem | undefined {
  const total = costs.reduce((sum, { cost }) => sum + Math.min(cost, maxRuleCost), 0)
  if (total <= maxVersionCost) return undefined
  const percent = Math.ceil((total / maxVersionCost) * 100)
  const message = `cost ${percent} % of what a version may cost together; limit lists, maps and texts`
  return { path: version, construct: 'rules', message }
}
