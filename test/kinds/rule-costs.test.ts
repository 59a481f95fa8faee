// The costs that `ruleProblems` estimates are those of a real kube-apiserver, for rules of public definitions and for
// rules with every function.
import t, { type Test } from 'tap'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { withMetadata } from '../../sdk/operator/kind/rules/declared.js'
import { estimateRules } from '../../sdk/operator/kind/rules/rule-costs.js'
import { ruleProblems } from '../../sdk/operator/kind/rules/rule-problems.js'
import { scopesOf } from '../../sdk/operator/kind/rules/rule-scopes.js'
import type { JsonSchema } from '../../sdk/operator/kind/schema/json-schema.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { costedFields, costedRules } from './costed-rules.js'
import { type MeasuredRule, measureCost } from './measured-costs.js'
import { missingDefinitions, publicDefinitions } from './public-definitions.js'

// Each rule is compiled several times by the server.
t.setTimeout(600_000)
t.comment('timeout=600000')

const skip = missingAssets()

async function openCluster(t: Test): Promise<ClusterUnderTest> {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  const { kubeconfig } = real
  const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: false })
  t.teardown(() => cluster.close())
  return cluster
}

/**
 * A sentence about a rule that costs a server something else than is estimated here; `undefined` for every other one.
 */
async function differenceOf(cluster: ClusterUnderTest, measured: MeasuredRule): Promise<string | undefined> {
  const { schema, rule } = measured
  const alone: JsonSchema = { ...schema, 'x-kubernetes-validations': [rule] }
  const [estimate] = estimateRules({ path: 'spec', schema: alone, count: 1 })
  if (estimate === undefined) return `${rule.rule}: no estimate`
  if (!estimate.isKnown) return `${rule.rule}: its cost is not known`
  const server = await measureCost(cluster, measured, estimate.cost)
  if ('refusal' in server) return `${rule.rule}: ${server.refusal}`
  const { cost, isMore = false } = server
  // The server rounds the factor.
  const isSame = isMore ? estimate.cost >= cost : Math.abs(estimate.cost - cost) <= cost * 0.02
  return isSame ? undefined : `${rule.rule}: estimated ${estimate.cost}, the server ${cost}`
}

async function differencesOf(cluster: ClusterUnderTest, rules: readonly MeasuredRule[]): Promise<string[]> {
  const found: string[] = []
  for (const rule of rules) found.push((await differenceOf(cluster, rule)) ?? '')
  return found.filter((sentence) => sentence !== '')
}

void t.test('rules with each function cost what a real API server estimates', { skip }, async (t) => {
  const cluster = await openCluster(t)
  for (const isLimited of [false, true]) {
    const names = { group: 'rules.example.com', version: 'v1', kind: 'Thing' } as const
    const [version] = defineKind({ ...names, spec: costedFields(isLimited) }).schemas
    const schema = version?.schema.properties?.spec ?? {}
    const rules = costedRules.map((rule) => ({ schema, rule: { rule } }))
    t.same(await differencesOf(cluster, rules), [], isLimited ? 'with limits' : 'without limits')
  }
})

void t.test(
  'rules of public definitions cost what a real API server estimates, and none is refused',
  { skip: skip || missingDefinitions() },
  async (t) => {
    const cluster = await openCluster(t)
    const definitions = publicDefinitions()
    const rules = new Map<string, MeasuredRule>()
    for (const { spec, metadata } of definitions) {
      const schemas = spec.versions.map(({ name, schema }) => ({
        name,
        schema: (schema?.openAPIV3Schema ?? {}) as JsonSchema,
      }))
      t.same(ruleProblems({ schemas }), [], metadata.name ?? '')
      for (const version of schemas)
        for (const rule of rulesOf(version.schema)) rules.set(JSON.stringify(rule), rule)
    }
    t.comment(`${rules.size} rules of ${definitions.length} definitions`)
    t.ok(rules.size > 0)
    t.same(await differencesOf(cluster, [...rules.values()]), [])
  },
)

const rulesOf = (schema: JsonSchema): MeasuredRule[] =>
  scopesOf({ path: '', schema: withMetadata(schema), count: 1 }).flatMap((scope) =>
    (scope.schema['x-kubernetes-validations'] ?? []).map(({ rule, optionalOldSelf = false }) => ({
      schema: scope.schema,
      rule: { rule, ...(optionalOldSelf && { optionalOldSelf }) },
    })),
  )
