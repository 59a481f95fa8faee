// Tests which objects a release deletes.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { createClient } from '../../../engine/client/create-client.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { OperationError } from '../problem/problem.js'
import { conditionOf, create, edit, find, start, until } from '../reconciled.fixture.js'
import { LiveObjects } from './live-objects.js'

const release = { namespace: 'default', name: 'hello' }
const owner = { cluster: 'main', resource: greetings, key: release, uid: '1' }
const keep = { 'helm.sh/resource-policy': 'keep' }
const ownership = (name: string) => ({
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'default' },
})

void t.test(
  'an object to be kept, by its record or by itself, and one of another release stay',
  async (t) => {
    const client = createClient({ transport: inProcessTransport(await createApiServer()) })
    const live = new LiveObjects(client, new AbortController().signal)
    const deleted = async (name: string, of: string, { inCluster = {}, inRecord = {} } = {}) => {
      const { labels, annotations } = ownership(of)
      const metadata = { namespace: 'default', name, labels, annotations: { ...annotations, ...inCluster } }
      await client.create(configMaps, { metadata })
      const object = configMap(name, {}, inRecord)
      const isDeleted = await live.delete(
        { resource: configMaps, key: { ...release, name }, object },
        { release, owner, target: { cluster: 'main' } },
      )
      t.equal((await find({ client }, configMaps, name)) === undefined, isDeleted, name)
      return isDeleted
    }
    t.equal(await deleted('own', 'hello'), true)
    t.equal(await deleted('kept-by-itself', 'hello', { inCluster: keep }), false)
    t.equal(await deleted('kept-by-record', 'hello', { inRecord: keep }), false)
    t.equal(await deleted('of-another', 'other'), false)
  },
)

void t.test('one to be kept on the host loses the reference to the vcluster, too', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const live = new LiveObjects(client, new AbortController().signal)
  const reference = { apiVersion: 'v1', kind: 'Service', name: 'vc', uid: 'of the vcluster' }
  const { labels, annotations } = ownership('hello')
  const metadata = { namespace: 'default', name: 'kept', labels, annotations: { ...annotations, ...keep } }
  const references = [reference, { ...reference, name: 'other', uid: 'of another' }]
  await client.create(configMaps, { metadata: { ...metadata, ownerReferences: references } })
  const object = { resource: configMaps, key: { ...release, name: 'kept' }, object: configMap('kept', {}) }
  t.equal(await live.delete(object, { release, owner, target: { cluster: 'host', reference } }), false)
  const kept = await client.get(configMaps, object.key)
  t.strictSame(
    kept.metadata.ownerReferences?.map(({ uid }) => uid),
    ['of another'],
  )
})

void t.test(
  'only an object with the UID of one that may go is replaced when the API server refuses a change',
  async (t) => {
    const client = createClient({ transport: inProcessTransport(await createApiServer()) })
    const live = new LiveObjects(client, new AbortController().signal)
    const key = { namespace: 'default', name: 'fixed' }
    const before = await client.create(configMaps, { metadata: key, data: { text: 'one' }, immutable: true })
    const object = configMap('fixed', { text: 'two' })
    const replace = (uid?: string) =>
      live.applyOrReplace({ resource: configMaps, key, object }, { uid, onDeleted: () => {} })
    for (const uid of [undefined, 'of another'])
      await t.rejects(
        replace(uid),
        new OperationError(
          'ConfigMap default/fixed (v1): ConfigMap "fixed" is invalid: data: Forbidden: field is immutable when ' +
            '`immutable` is set; this release did not make it, so it is not replaced: delete it, or rename the ' +
            'object of the chart',
        ),
      )
    t.equal((await client.get(configMaps, key)).metadata.uid, before.metadata.uid)
    await replace(before.metadata.uid)
    t.not((await client.get(configMaps, key)).metadata.uid, before.metadata.uid)
  },
)

void t.test('an object to be kept is not replaced when the API server refuses a change', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const live = new LiveObjects(client, new AbortController().signal)
  for (const [name, inCluster, inRecord] of [
    ['kept-by-itself', keep, {}],
    ['kept-by-record', {}, keep],
  ] as const) {
    const key = { namespace: 'default', name }
    const metadata = { ...key, annotations: inCluster }
    const before = await client.create(configMaps, { metadata, data: { text: 'one' }, immutable: true })
    const object = { resource: configMaps, key, object: configMap(name, { text: 'two' }, inRecord) }
    await live.readAll([object])
    await t.rejects(
      live.applyOrReplace(object, { uid: before.metadata.uid, onDeleted: () => t.fail('it is deleted') }),
      new OperationError(
        `ConfigMap default/${name} (v1): ConfigMap "${name}" is invalid: data: Forbidden: field is immutable when ` +
          '`immutable` is set; it has the helm.sh/resource-policy keep, so it is not replaced: remove the annotation, ' +
          'or delete the object',
      ),
    )
    t.equal((await client.get(configMaps, key)).metadata.uid, before.metadata.uid)
  }
})

void t.test(
  'an uninstallation deletes the objects of all revisions, also after an upgrade that failed',
  async (t) => {
    const chart = functionChart({ name: 'halves', version: '1.0.0' }, ({ half }, { name }) => [
      configMap(`${name}-${half}`, {}),
      ...(half === 'two' ? [configMap('z', { 'no key': '' })] : []),
    ])
    const test = await start(t, { chart, onFailure: 'retry' })
    await create(test, { half: 'one' })
    await test.settled()
    await edit(test, { spec: { half: 'two' } })
    await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
    const made = async () => [
      await find(test, configMaps, 'hello-one'),
      await find(test, configMaps, 'hello-two'),
    ]
    t.notOk((await made()).includes(undefined), 'both are there')
    await test.client.delete(greetings, key)
    await until(async () => (await find(test, greetings)) === undefined)
    t.strictSame(await made(), [undefined, undefined])
  },
)
