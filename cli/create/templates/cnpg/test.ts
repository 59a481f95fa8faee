/** src/hooks.test.ts: the Pods and refusals of Clusters, and that the hooks depend on nothing else. */
export const testFile = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CnpgCluster } from 'vcluster-plugin-sdk/cnpg'
import { testCnpgOperator, testCnpgPlugin } from 'vcluster-plugin-sdk/cnpg/testing'
import { register } from './hooks.js'
import { options } from './plugin.js'

/**
 * A simulated operator. It runs each hook of EVALUATE twice and once on its own output, and fails if the answers
 * differ.
 */
async function startOperator() {
  const plugin = testCnpgPlugin(options)
  register(plugin)
  return testCnpgOperator(plugin)
}

const cluster = (parameters: Record<string, string>): CnpgCluster => ({
  metadata: { name: 'db' },
  spec: { instances: 2, plugins: [{ name: options.name, parameters }] },
})

test('Pods have the team and the tier', async () => {
  const operator = await startOperator()
  const { phase } = await operator.create(cluster({ team: 'shop' }))
  assert.equal(phase, 'Cluster in healthy state')
  for (const { metadata } of operator.pods) {
    assert.equal(metadata.labels?.['example.com/team'], 'shop')
    assert.equal(metadata.labels?.['example.com/tier'], 'bronze')
  }
})

test('Pods restart when they get a sidecar, and not again', async () => {
  const operator = await startOperator()
  await operator.create(cluster({ team: 'shop' }))
  await operator.change(({ spec }) => {
    for (const plugin of spec.plugins ?? []) plugin.parameters = { team: 'shop', tier: 'gold' }
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
  await assert.rejects(operator.create(cluster({ team: 'shop', tier: 'x' })), /spec\\.plugins\\.0\\.parameters\\.tier/)
  await operator.create(cluster({ team: 'shop' }))
  const change = operator.change(({ spec }) => {
    for (const plugin of spec.plugins ?? []) plugin.parameters = { team: 'bank' }
  })
  await assert.rejects(change, /parameters\\.team: .*cannot be changed/)
})

test('a plugin that crashed, or a second replica, answers the same', async () => {
  const [before, after] = [await startOperator(), await startOperator()]
  for (const operator of [before, after]) await operator.create(cluster({ team: 'shop', tier: 'gold' }))
  assert.deepEqual([...after.objects], [...before.objects])
})
`
