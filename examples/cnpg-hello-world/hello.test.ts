import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { CnpgCluster } from 'vcluster-plugin-sdk/cnpg'
import { testCnpgOperator, testCnpgPlugin } from 'vcluster-plugin-sdk/cnpg/testing'
import { parse } from 'yaml'
import { parameters, register } from './hello.js'

async function startOperator() {
  const plugin = testCnpgPlugin({ name: 'hello-world.example.org', version: '0.1.0', parameters })
  register(plugin)
  return testCnpgOperator(plugin)
}

function cluster(path: string): CnpgCluster {
  const file = fileURLToPath(new URL(path, import.meta.url))
  return parse(readFileSync(file, 'utf8')) as CnpgCluster
}

void t.test('with parameters: the Pod has the labels and the annotations', async (t) => {
  const operator = await startOperator()
  t.match(await operator.create(cluster('samples/with-parameters.yaml')), {
    phase: 'Cluster in healthy state',
  })
  const [pod] = operator.pods
  t.match(pod?.metadata.labels, { team: 'databases' })
  t.match(pod?.metadata.annotations, { 'example.org/note': 'hello' })
  t.match(pod?.spec?.initContainers, [{ name: 'pauser', restartPolicy: 'Always' }])
  t.match(operator.cluster?.status?.pluginStatus, [{ status: '{"enabled":true}' }])
  await operator.reconcile()
  t.same(operator.rollouts, [], 'no Pod is restarted without a change')
})

void t.test('without parameters: the defaults', async (t) => {
  const operator = await startOperator()
  await operator.create(cluster('samples/without-parameters.yaml'))
  t.match(operator.pods[0]?.metadata.labels, { 'plugin-metadata': 'default' })
  const [entry] = operator.cluster?.spec.plugins ?? []
  t.equal(entry?.parameters?.labels, '{"plugin-metadata":"default"}')
})

void t.test('with a mistake: the Cluster is refused, with the path', async (t) => {
  const operator = await startOperator()
  await t.rejects(operator.create(cluster('with-a-mistake.yaml')), {
    message: /spec\.plugins\.0\.parameters\.labels: Invalid value: ".*": is not JSON/,
  })
})

void t.test('labels cannot be changed', async (t) => {
  const operator = await startOperator()
  await operator.create(cluster('samples/with-parameters.yaml'))
  const change = operator.change(({ spec }) => {
    for (const plugin of spec.plugins ?? []) plugin.parameters = { labels: '{"team":"other"}' }
  })
  await t.rejects(change, { message: /labels cannot be changed/ })
})
