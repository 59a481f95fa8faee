import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, namespaces, pods, secrets } from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { impersonationOf } from '../../sdk/engine/transport/impersonation.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { sortSamples } from '../dev/expected-samples.js'
import { pluginUser } from './faults.js'
import { PluginPermissions } from './plugin-permissions.js'

const describing = (...resources: Resource[]): PluginDescription => ({
  kind: 'PluginDescription',
  name: 'mine',
  syncers: resources.map((resource) => ({ name: resource.plural, resource })),
  hostReads: [],
  virtualReads: [],
})

/** The transport of the plugin's user. */
function asPlugin(transport: Transport): Transport {
  const as = impersonationOf({ user: pluginUser, groups: ['system:authenticated'] })
  return { ...transport, request: (request) => transport.request({ ...request, as }) }
}

void t.test(
  'the plugin gets the permissions of its description, and loses those of an earlier one',
  async (t) => {
    const server = await createApiServer({ authorization: 'rbac' })
    t.teardown(() => server.close())
    const transport = inProcessTransport(server)
    const client = createClient({ transport })
    const plugin = createClient({ transport: asPlugin(transport) })
    await client.create(namespaces, { metadata: { name: 'target' } })
    const rights = new PluginPermissions({ client, targetNamespace: 'target', mode: 'sidecar' })
    const may = (resource: Resource, namespace = 'target') =>
      plugin.list(resource, { namespace }).then(
        () => true,
        (error) => (error.code === 403 ? false : Promise.reject(error)),
      )
    t.equal(await may(configMaps), false)
    await rights.grant(describing(configMaps))
    t.equal(await may(configMaps), true)
    t.equal(await may(configMaps, 'default'), false)
    t.equal(await may(secrets), false)
    await rights.grant(describing(secrets))
    t.same([await may(configMaps), await may(secrets)], [false, true])
    await rights.grant(undefined)
    t.same([await may(pods, 'default'), await may(secrets)], [true, true])
    await rights.grant(describing(pods))
    t.same([await may(pods, 'default'), await may(pods), await may(secrets)], [false, true, false])
  },
)

void t.test('permissions in a namespace that does not exist create it', async (t) => {
  const server = await createApiServer({ authorization: 'rbac' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  await client.create(namespaces, { metadata: { name: 'target' } })
  const rights = new PluginPermissions({ client, targetNamespace: 'target', mode: 'sidecar' })
  const shared = {
    side: 'host',
    group: '',
    resource: 'secrets',
    verbs: ['list'],
    namespace: 'shared',
  } as const
  const description = { ...describing(configMaps), permissions: [{ ...shared, neededBy: 'mine' }] }
  for (const _ of ['first', 'again']) await rights.grant(description)
  const plugin = createClient({ transport: asPlugin(transport) })
  await t.resolves(plugin.list(secrets, { namespace: 'shared' }))
  await t.rejects(plugin.list(secrets, { namespace: 'target' }), { code: 403 })
})

void t.test('samples are sorted by whether the plugin copies their kind', async (t) => {
  const sample = (side: 'virtual' | 'host', resource: Resource) =>
    ({ side, resource, key: { namespace: 'default', name: 'a' } }) as const
  const all = [sample('virtual', configMaps), sample('virtual', secrets), sample('host', secrets)]
  const [configMap, secret, hostSecret] = all
  t.same(sortSamples(all, describing(configMaps)), {
    expected: [configMap],
    others: [secret, hostSecret],
  })
  const upSyncers = [{ name: 'up', resource: secrets }]
  const hooks = [{ name: 'hook', resource: secrets }]
  t.same(sortSamples(all, { ...describing(), upSyncers }).expected, [hostSecret])
  t.same(sortSamples(all, { ...describing(), hooks }).expected, [secret])
  t.same(sortSamples(all, undefined).expected, all, 'a program that does not describe itself')
})
