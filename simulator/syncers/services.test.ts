import t, { type Test } from 'tap'
import { type Service, services } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import {
  ClientHook,
  type HookContext,
  type HookType,
  hookTypes,
} from '../../sdk/vcluster/hook/client-hook.js'
import { type TestPlugin, type TestPluginOptions, testPlugin } from '../../testing/plugin/test-plugin.js'

/**
 * Records the objects of its calls, and adds a port to Services that vcluster creates on the host, unless
 * switched off.
 */
class PortHook extends ClientHook<Service> {
  readonly calls: { type: HookType; service: Service }[] = []

  constructor({ adds = true }: { adds?: boolean } = {}) {
    super('port-hook', services)
    for (const type of hookTypes) {
      const method = (_: HookContext, service: Service) => {
        this.calls.push({ type, service })
        return adds && type === 'CreatePhysical' ? withPort(service) : undefined
      }
      Object.assign(this, { [`mutate${type}`]: method })
    }
  }

  /** The writes since the last call of this function. */
  writes(): HookType[] {
    const types = this.calls.splice(0).map(({ type }) => type)
    return types.filter((type) => !type.startsWith('Get'))
  }
}

const withPort = (service: Service): Service => ({
  ...service,
  spec: { ...service.spec, ports: [...(service.spec?.ports ?? []), { name: 'more', port: 9000 }] },
})

const versions = ['0.36', '0.19'] as const
const key = { namespace: 'default', name: 'web' }
const hostKey = { namespace: 'vcluster-vc', name: 'web-x-default-x-vc' }
const web: Service = { metadata: key, spec: { ports: [{ name: 'http', port: 80 }] } }

async function run(t: Test, options: TestPluginOptions, hook = new PortHook()) {
  const test = await testPlugin((plugin) => plugin.register(hook), options)
  t.teardown(() => test.stop())
  return { ...test, hook }
}

/**
 * Creates the Service by server-side apply, because vcluster's API filters only POST requests for Services.
 */
async function applied({ virtual, settled }: TestPlugin, service: Service): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Service', ...service }
  await virtual.patch(services, key, { type: 'apply', fieldManager: 'test', body })
  await settled()
}

async function isThere({ host }: TestPlugin, at: Key): Promise<boolean> {
  try {
    await host.get(services, at)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

const portsOf = ({ spec }: Service) => spec?.ports?.map(({ port }) => port)

void t.test(
  'a virtual Service with another cluster IP than the host Service is deleted and recreated as it was read',
  async (t) => {
    for (const version of versions) {
      const test = await run(t, { version })
      await applied(test, web)
      const calls = [...test.hook.calls]
      // Since 0.21 the port that the hook adds on the host is copied back.
      const flowsBack = version === '0.19' ? [] : ['UpdateVirtual']
      const recreated = ['CreatePhysical', 'DeleteVirtual', 'CreateVirtual']
      t.same(test.hook.writes(), [...recreated, ...flowsBack, 'UpdatePhysical'], version)
      const created = calls.find(({ type }) => type === 'CreateVirtual')?.service
      const { clusterIP } = (await test.host.get(services, hostKey)).spec ?? {}
      t.ok(clusterIP)
      t.match(created, { metadata: { name: 'web', creationTimestamp: String }, spec: { clusterIP } })
      t.notOk(created?.metadata.uid)
      t.equal((await test.virtual.get(services, key)).spec?.clusterIP, clusterIP)
    }
  },
)

void t.test('a Service of another type, or with a cluster IP of None, is not recreated', async (t) => {
  for (const version of versions) {
    for (const spec of [
      { ...web.spec, clusterIP: 'None' },
      { type: 'ExternalName', externalName: 'example.com' },
    ]) {
      const test = await run(t, { version })
      await applied(test, { ...web, spec })
      t.notOk(test.hook.writes().includes('DeleteVirtual'), `${version} ${JSON.stringify(spec)}`)
    }
  }
})

void t.test(
  'the node ports of the host are copied back: by an update, or up to 0.19 with the recreated Service',
  async (t) => {
    for (const version of versions) {
      const test = await run(t, { version }, new PortHook({ adds: false }))
      const other = { metadata: { ...hostKey, name: 'other' }, spec: { type: 'NodePort', ...web.spec } }
      await test.host.create(services, other)
      await applied(test, { ...web, spec: { type: 'NodePort', ...web.spec } })
      const writes = test.hook.writes()
      t.equal(writes.includes('UpdateVirtual'), version === '0.36', version)
      t.ok(writes.length < 12, 'and no further writes follow')
      const [virtual, host] = [await test.virtual.get(services, key), await test.host.get(services, hostKey)]
      const nodePort = host.spec?.ports?.find(({ name }) => name === 'http')?.nodePort
      t.ok(nodePort)
      t.equal(virtual.spec?.ports?.find(({ name }) => name === 'http')?.nodePort, nodePort, version)
    }
  },
)

void t.test(
  'since 0.21 the ports of a Service are copied back; before, the host gets the ports of the user',
  async (t) => {
    for (const version of versions) {
      const test = await run(t, { version })
      await applied(test, web)
      const ports = [{ op: 'replace', path: '/spec/ports/0/port', value: 81 }] as const
      await test.host.patch(services, hostKey, { type: 'json', body: ports })
      await test.settled()
      const expected = version === '0.19' ? [80] : [81, 9000]
      t.same(portsOf(await test.virtual.get(services, key)), expected, version)
      t.same(portsOf(await test.host.get(services, hostKey)), expected, version)
    }
  },
)

void t.test(
  'a Service of a user is created on the host first, and no hook sees the write to the virtual cluster',
  async (t) => {
    for (const version of versions) {
      const test = await run(t, { version })
      const answer = await test.virtual.create(services, web)
      t.same(portsOf(answer), [80, 9000], 'the user gets the ports of the host')
      const [first] = test.hook.calls
      t.match(first, {
        type: 'CreatePhysical',
        service: { metadata: { annotations: { 'vcluster.loft.sh/block-deletion': 'true' } } },
      })
      await test.settled()
      t.same(test.hook.writes(), ['CreatePhysical', 'UpdatePhysical'], version)
      const host = await test.host.get(services, hostKey)
      t.equal(answer.spec?.clusterIP, host.spec?.clusterIP)
      t.notOk(host.metadata.annotations?.['vcluster.loft.sh/block-deletion'], 'its original exists')
    }
  },
)

void t.test('a Service that the virtual cluster rejects is deleted on the host', async (t) => {
  const test = await run(t, {})
  const name = 'kubernetes'
  const kubernetes = { ...web, metadata: { ...key, name } }
  await t.rejects(test.virtual.create(services, kubernetes), /already exists/)
  await test.settled()
  t.same(test.hook.writes(), ['CreatePhysical', 'DeletePhysical'])
  t.notOk(await isThere(test, { ...hostKey, name: `${name}-x-default-x-vc` }))
})

void t.test('an error of the host is returned, and a dry run does not reach the host', async (t) => {
  const test = await run(t, {})
  await t.rejects(test.virtual.create(services, { ...web, spec: { ports: [{ port: 0 }] } }), { code: 422 })
  await test.virtual.create(services, web, { dryRun: true })
  const headers = { 'content-type': 'application/json' }
  const path = '/api/v1/namespaces/default/services'
  t.equal((await test.fetch(path, { method: 'POST', headers, body: 'no JSON' })).status, 400)
  await test.settled()
  t.notOk(await isThere(test, hostKey))
  t.notOk(await isThere(test, { ...hostKey, name: '-x-default-x-vc' }))
})

void t.test(
  'an ExternalName Service that a user changes to another type is changed on the host first',
  async (t) => {
    for (const version of versions) {
      const test = await run(t, { version })
      const alias = { ...web, spec: { type: 'ExternalName', externalName: 'example.com' } }
      const before = await test.virtual.create(services, alias)
      await test.settled()
      test.hook.writes()
      const after = await test.virtual.update(services, {
        ...before,
        spec: { type: 'ClusterIP', ...web.spec },
      })
      const [, , change] = test.hook.calls
      t.match(change, { type: 'UpdatePhysical', service: { spec: { type: 'ClusterIP' } } })
      t.notOk(change?.service.spec?.clusterIP)
      await test.settled()
      t.equal(after.spec?.clusterIP, (await test.host.get(services, hostKey)).spec?.clusterIP)
      t.notOk(test.hook.writes().includes('CreateVirtual'), version)
    }
  },
)
