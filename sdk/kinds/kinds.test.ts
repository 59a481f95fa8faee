import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { RegisterContext } from '../context/register-context.js'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  deployments,
} from '../kube/builtin.js'
import { stringifyJson } from '../kube/json.js'
import type { Resource } from '../kube/resource.js'
import { type TestPlugin, testPlugin } from '../testing/test-plugin.js'
import { type EnsureCRDOptions, ensureCRD } from './ensure-crd.js'
import { findKind } from './find-kind.js'

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
    await given.virtual.client.create(answered[0] ?? cars, object)
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

void t.test('a definition comes from a file, and its stored version is what is answered', async (t) => {
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

void t.test('what is served already stays as it is', async (t) => {
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

void t.test('what cannot be ensured says why', async (t) => {
  const dir = t.testdir({
    'wrong.yaml': 'kind: [',
    'other.yaml': 'kind: ConfigMap\nmetadata: {name: a}\nspec: {}',
  })
  const options = { definition: definition('cars') }
  const { ctx, virtual } = await ensuring(t, options)
  const trucks = { ...cars, kind: 'Truck', plural: 'trucks' }
  await t.rejects(ensureCRD(ctx, { from: 'host', resource: trucks }), {
    code: 'NO_SUCH_KIND',
    message: /trucks.example.com/,
  })
  await t.rejects(ensureCRD(ctx, { file: join(dir, 'wrong.yaml') }), {
    code: 'BAD_DEFINITION',
    message: /wrong.yaml/,
  })
  await t.rejects(ensureCRD(ctx, { file: join(dir, 'other.yaml') }), { code: 'BAD_DEFINITION' })
  const taken = definition('lorries')
  taken.spec.names.kind = 'Car'
  await t.rejects(ensureCRD(ctx, { definition: taken }), { code: 'CRD_NOT_ACCEPTED' })
  await virtual.delete(customResourceDefinitions, { namespace: '', name: 'lorries.example.com' })
  await t.rejects(ensureCRD(ctx, { definition: { ...taken, spec: { ...taken.spec, versions: [] } } }), {
    code: 'BAD_DEFINITION',
  })
})
