import t, { type Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import {
  type ConfigMap,
  configMaps,
  events,
  type Pod,
  pods,
  secrets,
  services,
} from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import {
  ClientHook,
  type HookContext,
  type HookType,
  hookTypes,
} from '../../sdk/vcluster/hook/client-hook.js'
import { HookDenialError } from '../../sdk/vcluster/hook/hook-denial-error.js'
import { createPluginRuntime } from '../../sdk/vcluster/plugin/plugin-runtime.js'
import { type TestPlugin, type TestPluginOptions, testPlugin } from '../../testing/plugin/test-plugin.js'
import { inProcessTransport } from '../in-process-transport.js'
import { prepareHost } from '../prepare-host.js'
import { startVClusterProcess } from '../vcluster-process.js'

type Mutate = (ctx: HookContext, object: ConfigMap) => ConfigMap | undefined

/** A hook of some types that records each call, in the form `GetVirtual`. */
class Hook extends ClientHook<ConfigMap> {
  readonly calls: string[] = []

  constructor(resource: Resource, mutate: Mutate = () => undefined, types: readonly HookType[] = eight) {
    super(`of-${resource.plural}`, resource as Resource<ConfigMap>)
    for (const type of types) {
      const method = (ctx: HookContext, object: ConfigMap) => {
        this.calls.push(type)
        return mutate(ctx, object)
      }
      Object.assign(this, { [`mutate${type}`]: method })
    }
  }

  /** The calls since the last call of this function, with one letter for the cluster: `GetV CreateP`. */
  since(): string {
    return this.calls
      .splice(0)
      .map((type) => type.replace(/(Virtual|Physical)$/, (side) => side.charAt(0)))
      .join(' ')
  }
}

const eight = hookTypes.filter((type) => !type.startsWith('Apply'))

async function run(t: Test, hook: Hook, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const test = await testPlugin((plugin) => plugin.register(hook), { syncAllToHost: true, ...options })
  t.teardown(() => test.stop())
  return test
}

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting = {
  metadata: { ...key, labels: { app: 'web' }, annotations: { note: 'hi' } },
  data: { text: 'hello' },
}
const merge = (body: object) => ({ type: 'merge', body }) as const
const labelled = (object: ConfigMap, labels: object): ConfigMap =>
  ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
  }) as ConfigMap

async function found<T extends KubeObject>(
  client: TestPlugin['host'],
  resource: Resource<T>,
  at: Key,
): Promise<T | undefined> {
  try {
    return await client.get(resource, at)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

void t.test('hooks are called in the order of running vclusters', async (t) => {
  const orders = {
    '0.36': {
      create: 'GetV CreateP GetV GetP',
      update: 'GetV GetP GetP UpdateP GetV GetP',
      'host copy edited': 'GetV GetP GetV UpdateV GetV GetP',
      'host copy deleted': 'GetV DeleteV',
      delete: 'GetP DeleteP',
    },
    '0.19': {
      create: 'GetV CreateP GetP GetP GetV',
      update: 'GetV GetP UpdateP GetP GetP GetV',
      'host copy edited': 'GetP GetP GetV UpdateP GetP GetP GetV',
      'host copy deleted': 'GetV CreateP GetP GetP GetV',
      delete: 'GetP DeleteP GetP',
    },
  }
  for (const version of ['0.36', '0.19'] as const) {
    const hook = new Hook(configMaps)
    const { virtual, host, settled } = await run(t, hook, { version })
    await settled()
    hook.since()
    const seen: Record<string, string> = {}
    const step = async (name: string, change: () => Promise<unknown>) => {
      await change()
      await settled()
      seen[name] = hook.since()
    }
    await step('create', () => virtual.create(configMaps, greeting))
    await step('update', () => virtual.patch(configMaps, key, merge({ data: { text: 'bye' } })))
    await step('host copy edited', () => host.patch(configMaps, hostKey, merge({ data: { more: 'x' } })))
    await step('host copy deleted', () => host.delete(configMaps, hostKey))
    if (version === '0.36') await virtual.create(configMaps, greeting)
    await settled()
    hook.since()
    await step('delete', () => virtual.delete(configMaps, key))
    t.same(seen, orders[version], version)
    t.notOk(await found(host, configMaps, hostKey))
  }
})

void t.test('hooks see existing objects at the start as often as in running vclusters', async (t) => {
  const calls = {
    '0.36': ['CreateP', 'GetP', 'GetV', 'GetV', 'GetV', 'GetV'],
    '0.19': ['CreateP', 'GetP', 'GetP', 'GetV', 'GetV'],
  }
  for (const version of ['0.36', '0.19'] as const) {
    const virtualServer = await createApiServer({ name: 'virtual' })
    const virtual = createClient({ transport: inProcessTransport(virtualServer) })
    await virtual.create(secrets, { metadata: key, stringData: { a: 'b' } })
    const hook = new Hook(secrets)
    await run(t, hook, { version, virtualServer })
    t.same(hook.since().split(' ').sort(), calls[version], version)
  }
})

void t.test('copies have the names, labels and annotations of that vcluster version', async (t) => {
  for (const version of ['0.36', '0.19'] as const) {
    const { virtual, host, settled } = await run(t, new Hook(configMaps), { version })
    await virtual.create(configMaps, greeting)
    await settled()
    const { metadata, data } = await host.get(configMaps, hostKey)
    const label = version === '0.19' ? 'vcluster.loft.sh/label-vc-x-a172cedcae' : 'app'
    t.same(data, greeting.data)
    t.match(metadata, {
      labels: {
        [label]: 'web',
        'vcluster.loft.sh/managed-by': 'vc',
        'vcluster.loft.sh/namespace': 'default',
      },
      annotations: { note: 'hi', 'vcluster.loft.sh/object-name': 'greeting' },
      ownerReferences: [{ kind: 'Service', name: 'vc' }],
    })
  }
})

void t.test(
  'since 0.21 a change of the copy by a hook reaches the original; before, it does not',
  async (t) => {
    const changes: Mutate = (_, object) => {
      const { app: _app, ...labels } = object.metadata.labels ?? {}
      const data = { ...object.data, more: 'from the hook' }
      return { ...object, data, metadata: { ...object.metadata, labels: { ...labels, hooked: 'yes' } } }
    }
    for (const version of ['0.36', '0.19'] as const) {
      const hook = new Hook(configMaps, changes, ['CreatePhysical'])
      const { virtual, settled } = await run(t, hook, { version })
      await virtual.create(configMaps, greeting)
      await settled()
      const { metadata, data } = await virtual.get(configMaps, key)
      if (version === '0.19') t.same([metadata.labels, data], [greeting.metadata.labels, greeting.data])
      else t.same([metadata.labels, data], [{ hooked: 'yes' }, { text: 'hello', more: 'from the hook' }])
    }
  },
)

void t.test('up to 0.19 an edit of the copy is reverted; since 0.21 it is copied back', async (t) => {
  for (const version of ['0.36', '0.19'] as const) {
    const { virtual, host, settled } = await run(t, new Hook(configMaps, undefined, ['GetVirtual']), {
      version,
    })
    await virtual.create(configMaps, greeting)
    await settled()
    const annotations = { note: 'from the host' }
    await host.patch(configMaps, hostKey, merge({ data: { text: 'edited' }, metadata: { annotations } }))
    await settled()
    const text = version === '0.19' ? 'hello' : 'edited'
    t.equal((await virtual.get(configMaps, key)).data?.text, text)
    const copy = await host.get(configMaps, hostKey)
    t.equal(copy.data?.text, text)
    t.equal(copy.metadata.annotations?.note, version === '0.19' ? 'hi' : 'from the host')
  }
})

void t.test('when a hook denies, nothing is written, and an Event has the reason', async (t) => {
  let isDenied = true
  const hook = new Hook(configMaps, () => {
    if (isDenied) throw new HookDenialError('not on a Sunday')
    return undefined
  }, ['CreatePhysical'])
  const { virtual, host, settled } = await run(t, hook)
  await virtual.create(configMaps, greeting)
  await settled()
  t.notOk(await found(host, configMaps, hostKey))
  const [event] = (await virtual.listAll(events, { namespace: 'default' })).items
  t.match(event, { reason: 'SyncError', type: 'Warning', involvedObject: { name: 'greeting' } })
  t.match(
    event?.message,
    /^Error syncing to host cluster: call plugin test: rpc error: code = Unknown desc = .*not on a Sunday$/,
  )
  isDenied = false
  await virtual.patch(configMaps, key, merge({ data: { text: 'again' } }))
  await settled()
  t.equal((await found(host, configMaps, hostKey))?.data?.text, 'again')
})

void t.test('the text of any other error of a hook is in no Event', async (t) => {
  const hook = new Hook(configMaps, () => {
    throw new Error('c4n4ry')
  }, ['CreatePhysical'])
  const { virtual, settled } = await run(t, hook)
  await virtual.create(configMaps, greeting)
  await settled()
  const { items } = await virtual.listAll(events, { namespace: 'default' })
  t.match(items[0]?.message, /hook .* failed on CreatePhysical of ConfigMap .*; the plugin's log says why$/)
  t.notMatch(JSON.stringify(items), /c4n4ry/)
})

void t.test('a Pod is copied to the host, and its status is copied back', async (t) => {
  const hook = new Hook(pods, (_, pod) => labelled(pod, { team: 'blue' }), [
    'CreatePhysical',
    'UpdatePhysical',
  ])
  const { virtual, host, settled } = await run(t, hook, { syncAllToHost: false })
  const spec: Pod['spec'] = {
    containers: [{ name: 'main', image: 'one', envFrom: [{ configMapRef: { name: 'greeting' } }] }],
    volumes: [
      { name: 'v', secret: { secretName: 'password' } },
      { name: 'h', hostPath: { path: '/tmp' } },
    ],
    nodeName: 'node',
  }
  await virtual.create(configMaps, greeting)
  await virtual.create(configMaps, { metadata: { ...key, name: 'unwanted' } })
  await virtual.create(secrets, { metadata: { ...key, name: 'password' }, stringData: { p: 'x' } })
  await settled()
  t.same(
    (await host.listAll(configMaps, { namespace: hostKey.namespace })).items.map((one) => one.metadata.name),
    ['kube-root-ca.crt'],
  )
  await virtual.create(pods, { metadata: { ...key, name: 'web' }, spec })
  await settled()
  const webKey = { ...hostKey, name: 'web-x-default-x-vc' }
  const copy = await host.get(pods, webKey)
  t.match(copy, {
    metadata: { labels: { team: 'blue' } },
    spec: {
      serviceAccountName: 'vc-workload-vc',
      containers: [{ envFrom: [{ configMapRef: { name: 'greeting-x-default-x-vc' } }] }],
      volumes: [{ secret: { secretName: 'password-x-default-x-vc' } }, { hostPath: { path: '/tmp' } }],
    },
  })
  t.notOk(copy.spec?.nodeName)
  t.ok(await found(host, configMaps, hostKey), 'the objects that a Pod uses are copied')
  t.ok(await found(host, secrets, { ...hostKey, name: 'password-x-default-x-vc' }))
  t.notOk(await found(host, configMaps, { ...hostKey, name: 'unwanted-x-default-x-vc' }))

  const status = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }
  await host.patch(pods, webKey, { ...merge({ status }), subresource: 'status' })
  const image = [{ op: 'replace', path: '/spec/containers/0/image', value: 'two' }] as const
  await virtual.patch(pods, { ...key, name: 'web' }, { type: 'json', body: image })
  await settled()
  t.match(await virtual.get(pods, { ...key, name: 'web' }), {
    metadata: { labels: { team: 'blue' } },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  })
  t.equal((await host.get(pods, webKey)).spec?.containers[0]?.image, 'two')

  await virtual.delete(pods, { ...key, name: 'web' })
  await settled()
  t.notOk(await found(host, pods, webKey))
  t.notOk(await found(host, configMaps, hostKey), 'no Pod uses it any more')
})

void t.test('a Service is copied without the fields that its own cluster allocated', async (t) => {
  const { virtual, host, settled } = await run(t, new Hook(services))
  t.ok(await found(virtual, services, { ...key, name: 'kubernetes' }), 'the API server has its own Service')
  await virtual.create(services, {
    metadata: { ...key, name: 'web' },
    spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
  await settled()
  const at = { ...hostKey, name: 'web-x-default-x-vc' }
  const before = await host.get(services, at)
  t.notOk(
    await found(host, services, { ...at, name: 'kubernetes-x-default-x-vc' }),
    'each cluster has its own',
  )
  t.ok(before.spec?.clusterIP)
  t.match(before.spec?.selector, { app: 'web', 'vcluster.loft.sh/managed-by': 'vc' })
  const ports = [{ op: 'add', path: '/spec/ports/0/targetPort', value: 8080 }] as const
  await virtual.patch(services, { ...key, name: 'web' }, { type: 'json', body: ports })
  const loadBalancer = { ingress: [{ ip: '10.1.1.1' }] }
  await host.patch(services, at, { ...merge({ status: { loadBalancer } }), subresource: 'status' })
  await settled()
  const after = await host.get(services, at)
  t.equal(after.spec?.ports?.[0]?.targetPort, 8080)
  t.same(after.spec?.ports?.[0]?.nodePort, before.spec?.ports?.[0]?.nodePort)
  t.same(after.spec?.clusterIP, before.spec?.clusterIP)
  t.match((await virtual.get(services, { ...key, name: 'web' })).status?.loadBalancer, loadBalancer)
  await virtual.delete(services, { ...key, name: 'web' })
  await settled()
  t.notOk(await found(host, services, at))
})

void t.test('kinds that the plugin syncs itself, and kinds without hooks, are ignored', async (t) => {
  const { virtual, host, settled } = await run(t, new Hook(configMaps), { syncToHost: ['Secret'] })
  await virtual.create(configMaps, greeting)
  await settled()
  t.notOk(await found(host, configMaps, hostKey))
})

void t.test('the simulated process calls the hooks of a sidecar by gRPC', async (t) => {
  const servers = {
    virtual: await createApiServer({ name: 'virtual' }),
    host: await createApiServer({ name: 'host' }),
  }
  for (const server of Object.values(servers)) {
    await server.listen({ port: 0 })
    t.teardown(() => server.close())
  }
  const [virtual, host] = [servers.virtual, servers.host].map((server) =>
    createClient({ transport: inProcessTransport(server) }),
  ) as [TestPlugin['virtual'], TestPlugin['host']]
  await prepareHost(host, { vclusterName: 'vc', targetNamespace: 'vcluster-vc', hasService: true })
  const vcluster = await startVClusterProcess({
    virtualKubeconfig: await servers.virtual.kubeconfig(),
    hostKubeconfig: await servers.host.kubeconfig(),
    name: 'vc',
    waitsFor: ['test'],
    syncAllToHost: true,
  })
  t.teardown(() => vcluster.stop())
  const plugin = createPluginRuntime({
    env: {
      VCLUSTER_PLUGIN_NAME: 'test',
      VCLUSTER_PLUGIN_ADDRESS: '127.0.0.1:0',
      VCLUSTER_LISTEN_ADDRESS: vcluster.address,
    },
    logger: silentLogger,
  })
  await plugin.init()
  plugin.register(
    new Hook(configMaps, (_, object) => labelled(object, { hooked: 'yes' }), ['CreatePhysical']),
  )
  const ended = plugin.start()
  await plugin.whenRunning()
  await virtual.create(configMaps, greeting)
  const copyOf = async (at: Key) => {
    for (;;) {
      const copy = await found(host, configMaps, at)
      if (copy) return copy
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  t.equal((await copyOf(hostKey)).metadata.labels?.hooked, 'yes')

  await plugin.stop()
  await ended
  await vcluster.stop()
  await virtual.create(configMaps, { ...greeting, metadata: { ...key, name: 'late' } })
  await new Promise((resolve) => setImmediate(resolve))
  t.notOk(
    await found(host, configMaps, { ...hostKey, name: 'late-x-default-x-vc' }),
    'a stopped process syncs nothing',
  )
})
