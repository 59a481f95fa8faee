// Tests that a release contains only what its policy allows.
import t, { type Test } from 'tap'
import { testOperator } from '../../../../testing/index.js'
import { configMaps, namespaces } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, find, history, register, start } from '../reconciled.fixture.js'

void t.test('objects that the policy does not allow are refused before anything is written', async (t) => {
  const text = 'another namespace'
  const placedByUser = functionChart({ name: 'greeter', version: '1.0.0' }, ({ namespace }) => [
    configMap('good', { text }),
    {
      ...configMap('bad', { text }),
      metadata: { name: 'bad', ...(namespace ? { namespace: String(namespace) } : {}) },
    },
  ])
  const test = await start(t, { chart: placedByUser, allow: {} })
  await create(test, { namespace: 'kube-system' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotAllowed',
    message: /ConfigMap kube-system\/bad is in another namespace/,
  })
  t.notOk(await find(test, configMaps, 'good'))
  t.strictSame(await history(test), [])
  await edit(test, { spec: { namespace: null } })
  await test.settled()
  t.ok(await find(test, configMaps, 'good'))
  t.ok(await find(test, configMaps, 'bad'))
  t.not((await conditionOf(test, 'Irreconcilable'))?.status, 'True')
})

void t.test('a policy that became stricter ends the repair of objects', async (t) => {
  const before = await start(t)
  await create(before)
  await before.settled()
  await before.stop()
  const strict = register({ allow: { kinds: ['Secret'] } })
  const test = await testOperator(strict, { servers: { main: before.server } })
  t.teardown(() => test.stop())
  const body = { data: { text: 'edited' } }
  await test.client.patch(configMaps, key, { type: 'merge', body })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotAllowed' })
  t.match(await find(test, configMaps), body)
})

void t.test('hooks count for the policy', async (t) => {
  const test = await start(t, { allow: { kinds: ['ConfigMap'] } })
  await create(test, { hook: 'pre-install' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /Pod default\/hello-hook/,
  })
  t.notOk(await find(test, configMaps))
  t.strictSame(await history(test), [], 'it is refused before its record is written')
})

void t.test('a record that a user edits gets no hook that the policy refuses', async (t) => {
  const test = await start(t, { allow: {} })
  await create(test)
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [record] = await store.revisions('default', 'hello')
  if (!record) throw new Error('there is no record')
  const manifest = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: forged}\n'
  const hook = { name: 'forged', kind: 'Namespace', path: 'a', manifest, events: ['pre-delete'], weight: 0 }
  await store.update({ ...record, release: { ...record.release, hooks: [hook] as never } })
  await test.client.delete(greetings, key)
  await test.settled()
  const found = await test.client.list(namespaces)
  t.notOk(found.items.some(({ metadata }) => metadata.name === 'forged'))
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /Namespace forged has no/,
  })
  const annotations = { 'helm.sdk.operatorframework.io/uninstall-disable-hooks': 'true' }
  await edit(test, { metadata: { annotations } })
  await test.settled()
  t.notOk(await find(test, greetings), 'it goes without its hooks')
})

const roles: Resource<KubeObject & { rules?: unknown[] }> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}
/** A hook of a deletion that makes a Role with these verbs. */
const roleHook = (...verbs: string[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'hook', annotations: { 'helm.sh/hook': 'pre-delete' } },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
})
const withRole = functionChart({ name: 'greeter', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  roleHook('get') as KubeObject,
])

/** Makes a release whose record gets a Role in its namespace, and deletes its custom resource. */
async function deleteEdited(t: Test, verb: string, options: Partial<HelmControllerOptions> = {}) {
  const test = await start(t, { chart: withRole, ...options })
  await create(test)
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [record] = await store.revisions('default', 'hello')
  if (!record) throw new Error('there is no record')
  const { release } = record
  const hooks = release.hooks.map((hook) => ({ ...hook, manifest: JSON.stringify(roleHook(verb)) }))
  const manifest = `${release.manifest}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n`
  await store.update({ ...record, release: { ...release, manifest, hooks } })
  await test.client.delete(greetings, key)
  await test.settled()
  return test
}

void t.test('a record has no Role that the chart does not make, also in its namespace', async (t) => {
  for (const options of [{}, { allow: {} }]) {
    const test = await deleteEdited(t, '*', options)
    t.match(await conditionOf(test, 'Irreconcilable'), {
      reason: 'NotAllowed',
      message:
        /Role default\/hook is of the kind Role\.rbac\.authorization\.k8s\.io, and its chart does not make this object/,
    })
    t.equal(await find(test, roles, 'hook'), undefined)
  }
})

void t.test('a record has it if the policy names its kind, or if the chart makes it', async (t) => {
  const allow = { kinds: ['ConfigMap', 'Role.rbac.authorization.k8s.io'] }
  for (const [verb, options] of [
    ['*', { allow }],
    ['get', {}],
  ] as const) {
    const test = await deleteEdited(t, verb, options)
    t.equal(await find(test, greetings), undefined)
    t.strictSame((await find(test, roles, 'hook'))?.rules, roleHook(verb).rules)
  }
})
