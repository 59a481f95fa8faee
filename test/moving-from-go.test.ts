// Tests that copies of a plugin with the Go SDK are adopted: not recreated and not deleted.
import t, { type Test } from 'tap'
import {
  type ConfigMap,
  configMaps,
  mirrorUp,
  type PriorityClass,
  priorityClasses,
} from 'vcluster-plugin-sdk'
import {
  type ApiServer,
  createApiServer,
  type Register,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import { register } from '../examples/sync-all-configmaps/register.js'

type StringMap = Record<string, string>

/**
 * The labels and annotations of a copy of `default/greeting`, which has the labels `app: web` and `release:
 * r1` and the annotation `note: hi`.
 */
interface Generation {
  version: '0.19' | '0.36'
  labels: StringMap
  annotations: StringMap
}

const greeting: ConfigMap = {
  metadata: {
    namespace: 'default',
    name: 'greeting',
    labels: { app: 'web', release: 'r1' },
    annotations: { note: 'hi' },
  },
  data: { text: 'hello' },
}
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }

const ownership = { 'vcluster.loft.sh/managed-by': 'vc', 'vcluster.loft.sh/namespace': 'default' }
const source = {
  note: 'hi',
  'vcluster.loft.sh/managed-annotations': 'note',
  'vcluster.loft.sh/object-name': 'greeting',
  'vcluster.loft.sh/object-namespace': 'default',
}
const hashed = {
  'vcluster.loft.sh/label-vc-x-a172cedcae': 'web',
  'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1',
  ...ownership,
}

/**
 * The three formats, from `translateLabels` and `translateAnnotations` of vcluster-sdk and vcluster at these
 * tags.
 */
const generations: Record<string, (uid: string) => Generation> = {
  // `translate/translate.go` @ vcluster-sdk v0.4.2
  'v0.1 to v0.4': () => ({ version: '0.19', labels: hashed, annotations: source }),
  // `pkg/util/translate/single_namespace.go` @ vcluster v0.20.1
  'v0.5': (uid) => ({
    version: '0.19',
    labels: hashed,
    annotations: { ...source, 'vcluster.loft.sh/object-uid': uid },
  }),
  // `pkg/util/translate/translate.go` @ vcluster v0.33.1
  'v0.6': (uid) => ({
    version: '0.36',
    labels: { app: 'web', 'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1', ...ownership },
    annotations: {
      ...source,
      'vcluster.loft.sh/object-uid': uid,
      'vcluster.loft.sh/object-kind': '/v1, Kind=ConfigMap',
      'vcluster.loft.sh/object-host-name': hostKey.name,
      'vcluster.loft.sh/object-host-namespace': hostKey.namespace,
    },
  }),
}

for (const [sdk, generation] of Object.entries(generations)) {
  void t.test(`a copy of a plugin with the Go SDK ${sdk} is adopted`, async (t) => {
    const { writes, running } = await setUp(t)
    const before = await running(() => {})
    const original = await before.virtual.create(configMaps, greeting)
    const { version, labels, annotations } = generation(original.metadata.uid ?? '')
    const { name, namespace } = hostKey
    const copy: ConfigMap = { ...greeting, metadata: { name, namespace, labels, annotations } }
    const { metadata: made } = await before.host.create(configMaps, copy)
    await before.stop()

    writes()
    const ours = await running(mapsOnly, { version })
    const taken = await ours.host.get(configMaps, hostKey)
    t.equal(taken.metadata.uid, made.uid, 'it is the same object')
    t.same(taken.metadata.labels, labels, 'with its previous labels')
    t.equal(taken.metadata.annotations?.['vcluster.loft.sh/object-uid'], original.metadata.uid)
    t.same(writes(), sdk === 'v0.6' ? [] : ['PUT'], 'it is updated at most once, and nothing else is written')
    await ours.stop()
    const again = await running(mapsOnly, { version })
    t.same(writes(), [], 'the next start writes nothing')

    await again.virtual.delete(configMaps, { namespace: 'default', name: 'greeting' })
    await again.settled()
    await t.rejects(again.host.get(configMaps, hostKey), { code: 404 }, 'it is deleted with its original')
  })
}

void t.test('another label mode rewrites the label keys once, and creates and deletes nothing', async (t) => {
  const { writes, running } = await setUp(t)
  const old = await running(mapsOnly, { version: '0.19' })
  await old.virtual.create(configMaps, greeting)
  await old.settled()
  const { metadata: made } = await old.host.get(configMaps, hostKey)
  await old.stop()
  writes()
  const upgraded = await running(mapsOnly, { version: '0.36' })
  const { metadata } = await upgraded.host.get(configMaps, hostKey)
  t.equal(metadata.uid, made.uid)
  t.equal(metadata.labels?.app, 'web')
  t.same(writes(), ['PUT'])
})

void t.test('virtual objects that a Go plugin copied from the host are adopted if requested', async (t) => {
  const { running } = await setUp(t)
  const before = await running(() => {})
  const high: PriorityClass = { metadata: { name: 'high' }, value: 100 }
  await before.host.create(priorityClasses, high)
  const { metadata: made } = await before.virtual.create(priorityClasses, high)
  await before.stop()
  const ours = await running((plugin, ctx) => {
    plugin.register(mirrorUp(ctx, priorityClasses, { adopts: true }))
  })
  const { metadata } = await ours.virtual.get(priorityClasses, { namespace: '', name: 'high' })
  t.equal(metadata.uid, made.uid)
  t.equal(metadata.labels?.['plugin.vcluster.loft.sh/managed-by'], 'priorityclass-up')
})

const mapsOnly: Register = (plugin, ctx) => register(plugin, ctx, { excludeRootCa: true })

/** Two clusters, plugins on them one after the other, and the verbs of writes to ConfigMaps of the host. */
async function setUp(t: Test) {
  const host = await createApiServer({ name: 'host' })
  let seen: string[] = []
  const handle: ApiServer['handle'] = (request) => {
    if (request.method !== 'GET' && request.path.includes('/configmaps')) seen.push(request.method)
    return host.handle(request)
  }
  const hostServer = new Proxy(host, {
    get: (target, name) => (name === 'handle' ? handle : Reflect.get(target, name, target)),
  })
  const virtualServer = await createApiServer({ name: 'virtual' })
  // A kube-apiserver has this ConfigMap, whose copy would be one more write.
  const own = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
  await virtualServer.handle({ method: 'DELETE', path: own })
  const clusters = { virtualServer, hostServer }
  const running = async (register: Register, options: TestPluginOptions = {}) => {
    const plugin = await testPlugin(register, { ...clusters, ...options })
    t.teardown(() => plugin.stop())
    return plugin
  }
  const writes = () => {
    const since = seen
    seen = []
    return since
  }
  return { running, writes }
}
