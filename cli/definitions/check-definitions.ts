/**
 * Checks definitions before they are printed: the costs of their rules, and everything that the embedded API server
 * checks.
 *
 * A problem is a mistake that every API server rejects. Rules that are marked as unchecked are left out.
 */
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { ruleFindings } from '../../sdk/operator/kind/rules/rule-problems.js'
import type { UncheckedRule } from '../../sdk/operator/kind/rules/unchecked-rules.js'
import type { JsonSchema } from '../../sdk/operator/kind/schema/json-schema.js'
import { mapSchema } from '../../sdk/operator/kind/schema/map-schema.js'
import { formatProblem } from '../../sdk/operator/kind/schema/problem.js'
import { EmbeddedCheck } from './embedded-check.js'

/** A definition to be checked. */
export interface CheckedDefinition {
  readonly definition: CustomResourceDefinition
  /** The rules that are not checked. */
  readonly unchecked: readonly UncheckedRule[]
}

/** Writes warnings to standard error. Throws `PluginError` `INVALID_KIND` for a definition that cannot be installed. */
export async function checkDefinitions(checked: readonly CheckedDefinition[]): Promise<void> {
  if (checked.length === 0) return
  const server = await EmbeddedCheck.start()
  try {
    for (const checkedDefinition of checked) await checkOne(checkedDefinition, server)
  } finally {
    await server.close()
  }
}

async function checkOne(checked: CheckedDefinition, server: EmbeddedCheck): Promise<void> {
  const { definition, unchecked } = checked
  const { name } = definition.metadata
  const stripped = withoutUnchecked(checked)
  const { problems, warnings } = ruleFindings({ schemas: versionsOf(stripped) })
  const notes = unchecked.map(({ rule, reason }) => `rule ${JSON.stringify(rule)} is not checked: ${reason}`)
  for (const warning of [...warnings.map(formatProblem), ...notes])
    process.stderr.write(`warning: ${name}: ${warning}\n`)
  const refusal = await server.install(stripped)
  const all = [
    ...problems.map(formatProblem),
    ...(refusal === undefined ? [] : [`an API server refuses it: ${refusal}`]),
  ]
  if (all.length === 0) return
  const cure = 'if a kube-apiserver accepts a rule of it, give the rule a reason in `unchecked`'
  throw new PluginError('INVALID_KIND', `${name} cannot be installed: ${all.join('; ')}; ${cure}`)
}

const versionsOf = ({ spec }: CustomResourceDefinition) =>
  spec.versions.map(({ name, schema }) => ({ name, schema: (schema?.openAPIV3Schema ?? {}) as JsonSchema }))

/** A definition without the rules that are not checked. */
export function withoutUnchecked({ definition, unchecked }: CheckedDefinition): CustomResourceDefinition {
  const skippedRules = new Set(unchecked.map(({ rule }) => rule))
  if (skippedRules.size === 0) return definition
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: mapSchema((version.schema?.openAPIV3Schema ?? {}) as JsonSchema, strip) },
  }))
  return { ...definition, spec: { ...definition.spec, versions } }

  function strip({ 'x-kubernetes-validations': rules = [], ...node }: JsonSchema): JsonSchema {
    const keptRules = rules.filter(({ rule }) => !skippedRules.has(rule))
    return keptRules.length > 0 ? { ...node, 'x-kubernetes-validations': keptRules } : node
  }
}
