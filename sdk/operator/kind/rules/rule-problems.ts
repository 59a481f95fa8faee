/**
 * Finds the CEL rules of a kind that a kube-apiserver refuses because they may cost too much.
 *
 * It follows the cost model of kube-apiserver and promises to report a rule as a problem only if it knows the cost of
 * each part of it. A rule with a part that it does not know is a warning, and one with a reason in `unchecked` is
 * neither. It leaves types and syntax to the API server.
 */
import type { Kind } from '../define/kind.js'
import type { KindProblem } from '../schema/problem.js'
import { withMetadata } from './declared.js'
import { maxRuleCost, type RuleCost, ruleCosts } from './rule-costs.js'
import { scopesOf } from './rule-scopes.js'

/** A kube-apiserver refuses a version whose rules are above this cost together; `StaticEstimatedCRDCostLimit`. */
const maxVersionCost = 100_000_000

/** The findings about the rules of a kind. */
export interface RuleFindings {
  /** Rules that a kube-apiserver refuses. */
  readonly problems: readonly KindProblem[]
  /** Rules that it may refuse. */
  readonly warnings: readonly KindProblem[]
}

/** The versions of a kind: the parts on which rules depend. */
export type RuledVersions = Pick<Kind, 'schemas'> | { readonly schemas: readonly RuledVersion[] }

/** A version with its schema. */
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
  const versions = schemas.map((version, at) => findIn(version, at === 0 ? '' : `versions.${version.name}.`))
  return {
    problems: versions.flatMap(({ problems }) => problems),
    warnings: versions.flatMap(({ warnings }) => warnings),
  }
}

function findIn({ name, schema }: RuledVersion, path: string): RuleFindings {
  const scopes = scopesOf({ path, schema: withMetadata(schema), count: 1 })
  const costs = scopes.flatMap((scope) => ruleCosts(scope))
  const problems = costs.filter(({ isKnown }) => isKnown).flatMap(({ problem }) => problem ?? [])
  const warnings = costs.filter(({ isKnown }) => !isKnown).flatMap(({ problem }) => problem ?? [])
  const together = problems.length > 0 ? undefined : sumProblem(name, costs)
  if (together === undefined) return { problems, warnings }
  const isKnown = costs.every((one) => one.isKnown)
  return isKnown ? { problems: [together], warnings } : { problems, warnings: [...warnings, together] }
}

function sumProblem(version: string, costs: readonly RuleCost[]): KindProblem | undefined {
  const total = costs.reduce((sum, { cost }) => sum + Math.min(cost, maxRuleCost), 0)
  if (total <= maxVersionCost) return undefined
  const percent = Math.ceil((total / maxVersionCost) * 100)
  const message = `cost ${percent} % of what a version may cost together; limit lists, maps and texts`
  return { path: version, construct: 'rules', message }
}
