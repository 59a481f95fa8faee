/** src/hooks.test.ts: the Pods and refusals of Clusters, and that the hooks depend on nothing else. */
export const testFile = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CnpgCluster } from 'vcluster-plugin-sdk/cnpg'
import { testCnpgOperator, testCnpgPlugin } from 'vcluster-plugin-sdk/cnpg/testing'
import { labels, register } from './hooks.js'
import { options } from './plugin.js'

const team = 'shop'
/** Parameters that fit the schema in plugin.ts. After a change of the schema, correct them here and in samples/. */
const parameters: Record<string, string> = { team }
/** The parameters of a Cluster whose Pods get a sidecar. */
const withSidecar = { ...parameters, tier: 'gold' }

/**
 * A simulated operator. It runs each hook of EVALUATE twice and once on its own output, and fails if the answers
 * differ.
 */
async function startOperator() {
  const plugin = testCnpgPlugin(options)
  register(plugin)
  return testCnpgOperator(plugin)
}

const cluster = (given = parameters): CnpgCluster => ({
  metadata: { name: 'db' },
  spec: { instances: 2, plugins: [{ name: options.name, parameters: given }] },
})

test('Pods have the team and the tier', async () => {
  const operator = await startOperator()
  const { phase, phaseReason } = await operator.create(cluster())
  assert.equal(phase, 'Cluster in healthy state', phaseReason)
  for (const { metadata } of operator.pods) {
    assert.equal(metadata.labels?.[labels.team], team)
    assert.equal(metadata.labels?.[labels.tier], 'bronze')
  }
})

test('Pods restart when they get a sidecar, and not again', async () => {
  const operator = await startOperator()
  await operator.create(cluster())
  await operator.change(({ spec }) => {
    for (const plugin of spec.plugins ?? []) plugin.parameters = withSidecar
  })
  await operator.reconcile()
  assert.deepEqual(
    operator.rollouts.map(({ pod }) => pod),
    ['db-1', 'db-2'],
  )
  for (const { spec } of operator.pods) assert.ok(spec?.initContainers?.some(({ name }) => name === 'pauser'))
})

test('a Cluster with an unknown tier is refused, and the team cannot be changed', async () => {
  const operator = await startOperator()
  await assert.rejects(operator.create(cluster({ ...parameters, tier: 'x' })), /spec\\.plugins\\.0\\.parameters\\.tier/)
  await operator.create(cluster())
  const change = operator.change(({ spec }) => {
    for (const plugin of spec.plugins ?? []) plugin.parameters = { ...parameters, team: 'bank' }
  })
  await assert.rejects(change, /parameters\\.team: .*cannot be changed/)
})

test('a plugin that crashed, or a second replica, answers the same', async () => {
  const [before, after] = [await startOperator(), await startOperator()]
  for (const operator of [before, after]) await operator.create(cluster(withSidecar))
  assert.deepEqual([...after.objects], [...before.objects])
})
`
