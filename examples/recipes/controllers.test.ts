// Runs each recipe for controllers once in an embedded cluster.
import t, { type Test } from 'tap'
import { configMaps, deployments, isNotFound, jobs, namespaces, services } from 'vcluster-plugin-sdk'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { type RegisterControllers, type TestOperator, testOperator } from 'vcluster-plugin-sdk/testing'
import { apps } from './apps.js'
import { records } from './clean-up-outside.js'

async function start(t: Test, recipe: string): Promise<TestOperator> {
  const { register } = (await import(`./${recipe}.ts`)) as { register: RegisterControllers }
  const test = await testOperator(register, { definitions: [crdOf(apps)] })
  t.teardown(() => test.stop())
  return test
}

const key = { namespace: 'default', name: 'web' }
const app = (spec: object = {}) => ({ metadata: key, spec: { image: 'nginx:1.29', ...spec } })
const merge = (body: object) => ({ type: 'merge', body }) as const
const orNothing = <T>(found: Promise<T>) =>
  found.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })

void t.test('an optional object', async (t) => {
  const { client, settled } = await start(t, 'optional-object')
  await client.create(apps, app({ port: 80 }))
  await settled()
  t.equal((await client.get(services, key)).spec?.ports?.[0]?.port, 80)
  await client.patch(apps, key, merge({ spec: { port: null } }))
  await settled()
  t.notOk(await orNothing(client.get(services, key)))
})

void t.test('objects in other namespaces', async (t) => {
  const { client, settled } = await start(t, 'objects-in-other-namespaces')
  for (const name of ['a', 'b']) await client.create(namespaces, { metadata: { name } })
  const where = async () => {
    await settled()
    const { items } = await client.list(configMaps)
    return items
      .filter(({ metadata }) => metadata.name === 'default-web')
      .map(({ metadata }) => metadata.namespace)
  }
  await client.create(apps, app({ namespaces: ['a', 'b'] }))
  t.strictSame(await where(), ['a', 'b'])
  await client.patch(apps, key, merge({ spec: { namespaces: ['b'] } }))
  t.strictSame(await where(), ['b'])
  await client.delete(apps, key)
  t.strictSame(await where(), [])
})

void t.test('restart on a change', async (t) => {
  const { client, settled } = await start(t, 'restart-on-change')
  const digest = async () => {
    await settled()
    const { spec } = await client.get(deployments, key)
    return spec?.template.metadata?.annotations?.['recipes.my.domain/settings']
  }
  await client.create(configMaps, { metadata: key, data: { level: 'info' } })
  await client.create(apps, app())
  const before = await digest()
  await client.patch(configMaps, key, merge({ data: { level: 'debug' } }))
  const after = await digest()
  t.match(after, /^[0-9a-f]{16}$/)
  t.not(after, before)
})

void t.test('run once to completion', async (t) => {
  const { client, settled } = await start(t, 'run-once-to-completion')
  const condition = async () => {
    await settled()
    return (await client.get(apps, key)).status?.conditions?.[0]
  }
  await client.create(apps, app())
  t.match(await condition(), { type: 'Ready', status: 'False', reason: 'Running' })
  const now = new Date().toISOString()
  const done = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }))
  const status = { succeeded: 1, startTime: now, completionTime: now, conditions: done }
  await client.patch(jobs, key, { ...merge({ status }), subresource: 'status' })
  t.match(await condition(), { type: 'Ready', status: 'True', reason: 'Completed' })
})

void t.test('at intervals', async (t) => {
  const { client, settled } = await start(t, 'at-intervals')
  const checked = async () => {
    await settled()
    return (await client.get(apps, key)).status?.checkedAt
  }
  await client.create(apps, app())
  const first = await checked()
  t.ok(first)
  await client.patch(apps, key, merge({ spec: { image: 'nginx:1.30' } }))
  t.equal(await checked(), first, 'a change does not cause a check')
  const earlier = new Date(Date.now() - 3_600_001).toISOString()
  await client.patch(apps, key, { ...merge({ status: { checkedAt: earlier } }), subresource: 'status' })
  t.not(await checked(), earlier)
})

void t.test('clean up outside', async (t) => {
  const { client, settled } = await start(t, 'clean-up-outside')
  await client.create(apps, app())
  await settled()
  t.strictSame([...records], [['default/web', 'nginx:1.29']])
  await client.delete(apps, key)
  await settled()
  t.strictSame([...records], [])
  t.notOk(await orNothing(client.get(apps, key)))
})

void t.test('wait for a correction', async (t) => {
  const { client, settled } = await start(t, 'wait-for-a-correction')
  const conditions = async () => {
    await settled()
    const { status } = await client.get(apps, key)
    return Object.fromEntries((status?.conditions ?? []).map(({ type, ...one }) => [type, one]))
  }
  await client.create(apps, app({ image: 'nginx:latest' }))
  t.match(await conditions(), {
    Stalled: { status: 'True', reason: 'PermanentError', message: /name a version, such as nginx:1\.29$/ },
  })
  await client.patch(apps, key, merge({ spec: { image: 'nginx:1.29' } }))
  const { Ready, Stalled } = await conditions()
  t.match(Ready, { status: 'True', reason: 'ImageHasVersion' })
  t.not(Stalled?.status, 'True')
})
