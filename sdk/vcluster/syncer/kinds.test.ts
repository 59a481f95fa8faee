import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type TestPlugin, testPlugin } from '../../../testing/plugin/test-plugin.js'
import { findKind } from '../../engine/cluster/find-kind.js'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  deployments,
} from '../../engine/kube/builtin.js'
import { stringifyJson } from '../../engine/kube/json.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { RegisterContext } from '../context/register-context.js'
import { applyManifests } from './apply-manifests.js'
import { type EnsureCRDOptions, ensureCRD, ensureCRDPermissions } from './ensure-crd.js'

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const

function definition(plural: string, versions = ['v1']): CustomResourceDefinition {
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1)
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, singular: plural.slice(0, -1), listKind: `${kind}List` },
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === 0,
        schema: { openAPIV3Schema: open },
      })),
    },
  }
}

const cars: Resource = { group: 'example.com', version: 'v1', kind: 'Car', plural: 'cars', namespaced: true }
const noFinalizers = { type: 'merge', body: { metadata: { finalizers: null } } } as const
const name = { namespace: '', name: 'cars.example.com' }

/** A plugin whose `init` ensures the kind; what the host and the virtual cluster have is made before. */
async function ensuring(
  t: Test,
  options: EnsureCRDOptions,
  before: (clusters: Pick<TestPlugin, 'virtual' | 'host'>) => Promise<unknown> = async () => {},
) {
  const empty = await testPlugin(() => {})
  await before(empty)
  await empty.stop()
  const { virtualServer, hostServer } = empty
  const answered: Resource[] = []
  let ctx: RegisterContext | undefined
  const init = async (given: RegisterContext) => {
    ctx = given
    answered.push(await ensureCRD(given, options))
    const object = { metadata: { namespace: 'default', name: 'a' } }
    await given[options.into ?? 'virtual'].client.create(answered[0] ?? cars, object)
  }
  const register = (plugin: TestPlugin['plugin']) => plugin.register({ name: 'cars', init })
  const test = await testPlugin(register, { virtualServer, hostServer })
  t.teardown(() => test.stop())
  if (!ctx) throw new Error('init was not called')
  return { ...test, ctx, answered }
}

void t.test('a kind is found by its name, where it is served', async (t) => {
  const { ctx } = await ensuring(t, { definition: definition('cars') })
  t.same(await findKind(ctx.virtual, deployments), deployments)
  t.same(await findKind(ctx.virtual, { group: '', version: 'v1', kind: 'ConfigMap' }), configMaps)
  t.same(await findKind(ctx.virtual, { group: '', version: 'v1', kind: 'Nothing' }), undefined)
  t.same(await findKind(ctx.virtual, { group: 'none.example.com', version: 'v1', kind: 'Car' }), undefined)
  t.same(await findKind(ctx.host, cars), undefined)
  t.same(await findKind(ctx.virtual, cars), cars)
})

void t.test('a definition comes from the host, with the one version that is wanted', async (t) => {
  const onHost = definition('cars', ['v2', 'v1'])
  onHost.metadata.annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'kept' }
  onHost.metadata.labels = { app: 'cars' }
  const { virtual, answered } = await ensuring(t, { from: 'host', resource: cars }, ({ host }) =>
    host.create(customResourceDefinitions, onHost),
  )
  const there = await virtual.get(customResourceDefinitions, name)
  t.match(there.metadata, { labels: { app: 'cars' }, annotations: { note: 'kept' } })
  t.same(Object.keys(there.metadata.annotations ?? {}), ['note'])
  t.match(there.spec.versions, [{ name: 'v1', served: true, storage: true }])
  t.equal(there.spec.versions.length, 1)
  t.equal(answered[0], cars)
})

void t.test('a definition can come from a file, and its storage version is returned', async (t) => {
  const file = join(t.testdir(), 'cars.yaml')
  const whole = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...definition('cars'),
  }
  await writeFile(file, stringifyJson(whole))
  const { answered } = await ensuring(t, { file })
  t.same(answered, [cars])
})

void t.test('the host can get the definition', async (t) => {
  const { host, virtual, answered } = await ensuring(t, { definition: definition('cars'), into: 'host' })
  t.same(answered, [cars])
  t.equal((await host.get(customResourceDefinitions, name)).metadata.name, name.name)
  await t.rejects(virtual.get(customResourceDefinitions, name), { code: 404 })
  t.same(
    ensureCRDPermissions({ into: 'host' }).map(({ side, verbs }) => [side, verbs.includes('create')]),
    [['host', true]],
  )
})

void t.test('a kind that is served already is not changed', async (t) => {
  const newer = definition('cars', ['v2', 'v1'])
  const { virtual, hostServer } = await ensuring(t, { from: 'host', resource: cars }, ({ virtual }) =>
    virtual.create(customResourceDefinitions, newer),
  )
  const there = await virtual.get(customResourceDefinitions, name)
  t.equal(there.metadata.generation, 1)
  t.same(
    there.spec.versions.map((version) => version.name),
    ['v2', 'v1'],
  )
  t.ok(hostServer, 'though the host has no such definition')
})

void t.test('a definition that is being deleted is waited for, and created again', async (t) => {
  let before: CustomResourceDefinition | undefined
  const { virtual } = await ensuring(t, { definition: definition('cars') }, async ({ virtual }) => {
    before = await virtual.create(customResourceDefinitions, {
      ...definition('cars'),
      metadata: { name: name.name, finalizers: ['example.com/hold'] },
    })
    await virtual.delete(customResourceDefinitions, name)
    const release = () => virtual.patch(customResourceDefinitions, name, noFinalizers)
    setTimeout(() => void release(), 200)
  })
  const { uid } = (await virtual.get(customResourceDefinitions, name)).metadata
  t.not(uid, before?.metadata.uid)
})

void t.test('a definition without the version gets it, and keeps the one it stores', async (t) => {
  const { virtual } = await ensuring(t, { definition: definition('cars') }, ({ virtual }) =>
    virtual.create(customResourceDefinitions, definition('cars', ['v1alpha1'])),
  )
  const { spec } = await virtual.get(customResourceDefinitions, name)
  t.same(
    spec.versions.map((version) => [version.name, version.served, version.storage]),
    [
      ['v1alpha1', true, true],
      ['v1', true, false],
    ],
  )
})

void t.test('the error of a kind that cannot be ensured names the reason', async (t) => {
  const dir = t.testdir({
    'wrong.yaml': 'kind: [',
    'other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {}',
  })
  const options = { definition: definition('cars') }
  const { ctx, virtual } = await ensuring(t, options)
  const trucks = { ...cars, kind: 'Truck', plural: 'trucks' }
  await t.rejects(ensureCRD(ctx, { from: 'host', resource: trucks }), {
    code: 'UNKNOWN_KIND',
    message: /trucks.example.com/,
  })
  await t.rejects(ensureCRD(ctx, { file: join(dir, 'wrong.yaml') }), {
    code: 'INVALID_CRD',
    message: /wrong.yaml .*: it is not valid YAML: .* at line 1, column \d+; correct it$/,
  })
  await t.rejects(ensureCRD(ctx, { file: join(dir, 'other.yaml') }), {
    code: 'INVALID_CRD',
    message:
      /other.yaml .*: its kind is v1 ConfigMap, not apiextensions.k8s.io\/v1 Custom.+; pass the file of a/,
  })
  const taken = definition('lorries')
  taken.spec.names.kind = 'Car'
  await t.rejects(ensureCRD(ctx, { definition: taken }), { code: 'CRD_NOT_ACCEPTED' })
  await virtual.delete(customResourceDefinitions, { namespace: '', name: 'lorries.example.com' })
  await t.rejects(ensureCRD(ctx, { definition: { ...taken, spec: { ...taken.spec, versions: [] } } }), {
    code: 'INVALID_CRD',
  })
})

/** A plugin whose `init` does something, and what it told. */
async function initialised<T>(
  t: Test,
  init: (ctx: RegisterContext) => Promise<T>,
): Promise<{ test: TestPlugin; answer: T }> {
  let answer: T | undefined
  const test = await testPlugin((plugin) =>
    plugin.register({
      name: 'manifests',
      init: async (ctx) => {
        answer = await init(ctx)
      },
    }),
  )
  t.teardown(() => test.stop())
  return { test, answer: answer as T }
}

const manifests = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
# nothing here
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: { name: one, namespace: shop }
    data: { mode: first }
  - kind: Deployment
    apiVersion: apps/v1
    metadata: { name: web }
    spec:
      template:
        spec:
          volumes: [{ name: v, configMap: { name: one, defaultMode: 0644 } }]
          containers: [{ image: nginx, name: web }]
        metadata: { labels: { app: web } }
      selector: { matchLabels: { app: web } }
`

void t.test('manifests are applied in their order, to where they belong', async (t) => {
  const { test, answer } = await initialised(t, (ctx) => applyManifests(ctx, manifests))
  t.same(
    answer.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name]),
    [
      ['Namespace', undefined, 'shop'],
      ['ConfigMap', 'shop', 'one'],
      ['Deployment', 'default', 'web'],
    ],
  )
  const web = await test.virtual.get(deployments, { namespace: 'default', name: 'web' })
  t.equal(web.spec?.template.spec?.volumes?.[0]?.configMap?.defaultMode, 0o644, 'as kubectl reads it')
})

void t.test(
  'manifests that are applied again win over other writers, and remove fields that they no longer have',
  async (t) => {
    const key = { namespace: 'default', name: 'one' }
    const object = (data: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one' },
      data,
    })
    const { test } = await initialised(t, async (ctx) => {
      await applyManifests(ctx, [object({ a: '1', b: '2' })])
      const { resourceVersion } = (await ctx.virtual.client.get(configMaps, key)).metadata
      await applyManifests(ctx, [object({ a: '1', b: '2' })])
      t.equal((await ctx.virtual.client.get(configMaps, key)).metadata.resourceVersion, resourceVersion)
      await ctx.virtual.client.patch(configMaps, key, {
        type: 'merge',
        body: { data: { a: 'x', mine: 'y' } },
      })
      await t.rejects(applyManifests(ctx, [object({ a: '3' })], { force: false }), { code: 409 })
      await applyManifests(ctx, [object({ a: '3' })])
    })
    t.same((await test.virtual.get(configMaps, key)).data, { a: '3', mine: 'y' })
  },
)

void t.test('manifests come from a file, and to the host, where they have our namespace', async (t) => {
  const file = pathToFileURL(join(t.testdir({ 'objects.yaml': manifests }), 'objects.yaml'))
  const { test } = await initialised(t, async (ctx) => {
    await applyManifests(ctx, file, { namespace: 'kube-public' })
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'here' } }
    await applyManifests(ctx, [body], { side: 'host' })
  })
  t.ok(await test.virtual.get(deployments, { namespace: 'kube-public', name: 'web' }))
  t.ok(await test.host.get(configMaps, { namespace: test.targetNamespace, name: 'here' }))
})

void t.test('a kind may be defined by the object before', async (t) => {
  const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
  const car = { apiVersion: 'example.com/v1', kind: 'Car', metadata: { name: 'a' } }
  const { test } = await initialised(t, (ctx) =>
    applyManifests(ctx, [{ ...type, ...definition('cars') }, car]),
  )
  t.ok(await test.virtual.get(cars, { namespace: 'default', name: 'a' }))
})

void t.test(
  'an invalid manifest fails before anything is applied, and an unknown kind is named',
  async (t) => {
    const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } }
    const { test } = await initialised(t, async (ctx) => {
      await t.rejects(applyManifests(ctx, [named, { metadata: { name: 'two' } }]), {
        code: 'INVALID_MANIFEST',
        message: /^object 2 of the manifests cannot be used: it has no apiVersion and no kind; add them$/,
      })
      await t.rejects(applyManifests(ctx, 'a: [1'), { code: 'INVALID_MANIFEST' })
      await t.rejects(applyManifests(ctx, [{ ...named, apiVersion: 'v2' }]), {
        code: 'UNKNOWN_KIND',
        message:
          /^the virtual cluster does not serve ConfigMap of v2, the kind of one: apply its CustomResourceDefinition first/,
      })
    })
    const { items } = await test.virtual.listAll(configMaps, { fieldSelector: 'metadata.name=one' })
    t.same(items, [])
  },
)
