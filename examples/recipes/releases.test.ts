// Runs each recipe for Helm releases and for Modules once in an embedded cluster.
import t, { type Test } from 'tap'
import { configMaps, deployments, jobs, secrets } from 'vcluster-plugin-sdk'
import { type Module, modules, workspaces } from 'vcluster-plugin-sdk/modules'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { type RegisterControllers, testOperator } from 'vcluster-plugin-sdk/testing'
import { apps } from './apps.js'

const key = { namespace: 'default', name: 'web' }
const dev = { namespace: 'default', name: 'dev' }
const merge = (body: object) => ({ type: 'merge', body }) as const

async function start(t: Test, recipe: string) {
  const { register } = (await import(`./${recipe}.ts`)) as { register: RegisterControllers }
  const definitions = [apps, modules, workspaces].map((kind) => crdOf(kind as typeof apps))
  const test = await testOperator(register, { definitions })
  t.teardown(() => test.stop())
  await test.client.create(workspaces, { metadata: { ...dev }, spec: {} } as never)
  return test
}

const app = { metadata: key, spec: { image: 'nginx:1.29' } }
const moduleOf = (kind: string, config: object): Module => ({
  metadata: { ...key },
  spec: {
    workspace: dev,
    hibernated: false,
    config: { ...config },
    source: {
      raw: {
        kind,
        metadata: { name: 'recipe', version: '1.0.0' },
        config: Object.keys(config).map((alias) => ({ name: alias, alias, string: { editable: true } })),
      },
    },
  },
})

void t.test('value from a Secret', async (t) => {
  const { client, settled } = await start(t, 'value-from-a-secret')
  await client.create(secrets, {
    metadata: { ...key, name: 'web-password' },
    stringData: { password: 'sesame' },
  })
  await client.create(apps, app)
  await settled()
  const { data } = await client.get(secrets, key)
  t.equal(Buffer.from(data?.password ?? '', 'base64').toString(), 'sesame')
})

void t.test('approve upgrades', async (t) => {
  const { client, settled } = await start(t, 'approve-upgrades')
  const image = async () => {
    await settled()
    return (await client.get(deployments, key)).spec?.template.spec?.containers[0]?.image
  }
  await client.create(apps, app)
  t.equal(await image(), 'nginx:1.29')
  await client.patch(apps, key, merge({ spec: { image: 'nginx:1.30' } }))
  t.equal(await image(), 'nginx:1.29')
  const annotations = { 'recipes.my.domain/approved-generation': '2' }
  await client.patch(apps, key, merge({ metadata: { annotations } }))
  t.equal(await image(), 'nginx:1.30')
})

void t.test('label all objects', async (t) => {
  const { client, settled } = await start(t, 'label-all-objects')
  await client.create(apps, app)
  await settled()
  const objects = [await client.get(deployments, key), await client.get(secrets, key)]
  for (const { metadata } of objects) t.equal(metadata.labels?.['recipes.my.domain/app'], 'web')
})

void t.test('release in another namespace', async (t) => {
  const { client, settled } = await start(t, 'release-in-another-namespace')
  await client.create(apps, app)
  await settled()
  const { items } = await client.list(deployments, { namespace: 'apps' })
  t.match(items, [{ metadata: { name: /^web-/ } }])
  await client.delete(apps, key)
  await settled()
  t.strictSame((await client.list(deployments)).items, [])
})

void t.test('a Module of a Job', async (t) => {
  const { client, settled } = await start(t, 'module-of-a-job')
  await client.create(modules, moduleOf('Import', { name: 'import', image: 'busybox:1.37' }))
  await settled()
  const job = { namespace: 'default', name: 'import' }
  t.equal((await client.get(modules, key)).status?.phase, 'ready')
  await client.patch(modules, key, merge({ spec: { hibernated: true } }))
  await settled()
  t.equal((await client.get(jobs, job)).spec?.suspend, true)
  await client.patch(modules, key, merge({ spec: { hibernated: false } }))
  await settled()
  t.not((await client.get(jobs, job)).spec?.suspend, true)
})

void t.test('a Module with settings', async (t) => {
  const { client, settled } = await start(t, 'module-settings')
  const level = async () => {
    await settled()
    return (await client.get(configMaps, { ...key, name: 'settings' })).data?.level
  }
  await client.create(modules, moduleOf('Settings', { name: 'settings', level: 'info' }))
  t.equal(await level(), 'info')
  await client.patch(modules, key, merge({ spec: { config: { level: 'debug' } } }))
  t.equal(await level(), 'debug')
})

void t.test('charts from git', async (t) => {
  const { client, settled } = await start(t, 'charts-from-git')
  const git = { repo: 'https://git.example/others/shop.git', path: 'chart', revision: 'v1' }
  await client.create(modules, {
    metadata: { ...key },
    spec: { workspace: dev, hibernated: false, config: {}, helm: { chart: { git } } },
  })
  await settled()
  t.match((await client.get(modules, key)).status, { phase: 'failed', message: /git\.example\/others/ })
})
