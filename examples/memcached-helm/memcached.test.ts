import { existsSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { deployments, type KubeObject, type Resource, services } from 'vcluster-plugin-sdk'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { type TestOperator, testOperator } from 'vcluster-plugin-sdk/testing'
import { parse } from 'yaml'
import { backups } from '../memcached/backup.js'
import { register } from './register.js'

const hasEngine = existsSync('sdk/helm/render/engine/helm.wasm.br') || Boolean(process.env.HELM_ENGINE)
const skip = !hasEngine && "there is no template engine: run 'npm run helm-engine'"

interface Memcached extends KubeObject {
  spec: { size: number; memory?: number }
  status?: { deployedRelease?: { revision: number; resources: number } }
}
interface StatefulSet extends KubeObject {
  spec: { replicas: number; template: { spec: { containers: { image: string; args: string[] }[] } } }
}
const group = 'cache.my.domain'
const memcacheds: Resource<Memcached> = {
  group,
  version: 'v1',
  kind: 'Memcached',
  plural: 'memcacheds',
  namespaced: true,
}
const statefulSets: Resource<StatefulSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
}
const definition = parse(readFileSync('examples/memcached-helm/crds/memcacheds.yaml', 'utf8'))
const key = { namespace: 'default', name: 'sessions' }

async function start(t: Test): Promise<TestOperator> {
  const definitions = [definition, crdOf(backups)]
  const test = await testOperator(register, { definitions, permissions: 'declared' })
  t.teardown(() => test.stop())
  return test
}

/** Rendering happens in a thread, so what is done is seen by looking. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20))
}

void t.test(
  'both kinds work in one program, and follow their specs',
  { skip, timeout: 300_000 },
  async (t) => {
    const { client } = await start(t)
    await client.create(memcacheds, { metadata: key, spec: { size: 3 } })
    await client.create(backups, { metadata: { ...key, name: 'daily' }, spec: { size: 2 } })
    const revision = async () => (await client.get(memcacheds, key)).status?.deployedRelease?.revision
    await until(async () => (await revision()) === 1)
    const made = await client.get(statefulSets, key)
    t.equal(made.spec.replicas, 3)
    t.match(made.spec.template.spec.containers, [
      { image: 'memcached:1.6.39-alpine', args: ['--memory-limit=64'] },
    ])
    t.ok(await client.get(services, key))
    await until(async () => (await client.get(deployments, { ...key, name: 'daily' })).spec?.replicas === 2)

    const daily = { ...key, name: 'daily' }
    await client.patch(backups, daily, { type: 'merge', body: { spec: { size: 4 } } })
    await until(async () => (await client.get(deployments, daily)).spec?.replicas === 4)
    await client.patch(memcacheds, key, { type: 'merge', body: { spec: { size: 1, memory: 128 } } })
    await until(async () => (await revision()) === 2)
    t.match((await client.get(statefulSets, key)).spec, {
      replicas: 1,
      template: { spec: { containers: [{ args: ['--memory-limit=128'] }] } },
    })
    t.match((await client.get(memcacheds, key)).status, { deployedRelease: { resources: 2 } }, 'one less')

    await client.delete(memcacheds, key)
    await until(async () => (await client.list(memcacheds)).items.length === 0)
    t.strictSame((await client.list(statefulSets)).items, [])
  },
)
