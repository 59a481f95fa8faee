import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps, customResourceDefinitions, nodes, secrets } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { backup, backupDefinition, backups, key } from '../../operator/backups.fixture.js'
import { owned } from '../../operator/controller/owned.js'
import { watch } from '../../operator/controller/watch.js'
import { controller } from '../../operator/engine/controller.js'
import { describePlugin } from './description.js'

/** A virtual cluster that has the kind of the controller. */
async function virtualCluster() {
  const server = await createApiServer({ name: 'virtual' })
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, backupDefinition)
  const isServed = () =>
    client.list(backups).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
  return server
}

void t.test('a controller of an own kind works on both clusters of a plugin', async (t) => {
  const virtualServer = await virtualCluster()
  const definition = controller(backups, {
    cluster: 'virtual',
    owns: [owned(configMaps, { cluster: 'host' })],
    async reconcile(ctx, { metadata, spec }) {
      const wanted = { metadata: { namespace: 'vcluster-vc', name: `backup-${metadata.name}` } }
      await ctx.cluster('host').apply(configMaps, { ...wanted, data: { size: String(spec.size) } })
      ctx.condition('Available', true, 'Done')
    },
  })
  const test = await testPlugin((plugin) => plugin.register(definition), { virtualServer })
  t.teardown(() => test.stop())
  await test.virtual.create(backups, backup(2))
  await test.settled()
  const at = { namespace: 'vcluster-vc', name: 'backup-daily' }
  const made = await test.host.get(configMaps, at)
  t.same(made.data, { size: '2' })
  t.equal(made.metadata.ownerReferences, undefined)
  const object = await test.virtual.get(backups, key)
  t.match(made.metadata.labels, { 'cache.my.domain/owner-uid': object.metadata.uid })
  t.match(object.status?.conditions, [{ type: 'Available', status: 'True' }])
  await test.virtual.delete(backups, key)
  await test.settled()
  await t.rejects(test.host.get(configMaps, at), { code: 404 })
})

void t.test('a tenant who forges owner labels changes nothing on the host', async (t) => {
  const virtualServer = await virtualCluster()
  const definition = controller(backups, {
    cluster: 'virtual',
    owns: [owned(configMaps, { cluster: 'host' })],
    async reconcile(ctx) {
      await ctx.cluster('host').apply(configMaps, { metadata: { namespace: 'vcluster-vc', name: 'one' } })
    },
  })
  const test = await testPlugin((plugin) => plugin.register(definition), {
    virtualServer,
    logger: silentLogger,
  })
  t.teardown(() => test.stop())
  const foreign = { namespace: 'vcluster-vc', name: 'foreign' }
  await test.host.create(configMaps, { metadata: foreign })
  await test.virtual.create(backups, backup(1))
  await test.settled()
  const { metadata } = await test.virtual.get(backups, key)
  const forged = {
    labels: { 'cache.my.domain/owner-uid': metadata.uid ?? '' },
    annotations: {
      'cache.my.domain/owner': 'virtual/default/daily',
      'cache.my.domain/owner-kind': 'backups.cache.my.domain',
    },
  }
  await test.virtual.create(configMaps, { metadata: { namespace: 'default', name: 'mine', ...forged } })
  await test.virtual.delete(backups, key)
  await test.settled()
  t.ok(await test.host.get(configMaps, foreign))
  t.ok(await test.virtual.get(configMaps, { namespace: 'default', name: 'mine' }))
  await t.rejects(test.host.get(configMaps, { ...foreign, name: 'one' }), { code: 404 })
})

void t.test(
  'the error for a controller that names no cluster lists the clusters of the plugin',
  async (t) => {
    const definition = controller(backups, { reconcile: () => {} })
    const started = testPlugin((plugin) => plugin.register(definition), { logger: silentLogger })
    await t.rejects(started, /controller backups names no cluster: set cluster to one of virtual, host/)
  },
)

void t.test('the permissions of a controller name the namespaces of its watches', async (t) => {
  const definition = controller(backups, {
    cluster: 'virtual',
    owns: [owned(configMaps, { cluster: 'host' })],
    watches: [
      watch(secrets, { cluster: 'host', namespaces: ['issuers'], keys: () => [] }),
      watch(nodes, { cluster: 'host', keys: () => [] }),
    ],
    permissions: [{ resource: configMaps, verbs: ['delete'], inOwnNamespace: true }],
    reconcile: () => {},
  })
  const { permissions } = describePlugin({
    name: 'test',
    runnables: [definition],
    hostReads: [],
    virtualReads: [],
  })
  const onHost = permissions?.filter(({ side }) => side === 'host')
  t.same(
    onHost?.map(({ resource, namespace }) => [resource, namespace]),
    [
      ['configmaps', undefined],
      ['secrets', 'issuers'],
      ['nodes', ''],
      // Whether a namespace that is watched ends.
      ['namespaces', ''],
      ['configmaps', undefined],
    ],
  )
})

void t.test('two controllers of one kind are refused, unless they share it', async (t) => {
  const of = (name: string) => controller(backups, { name, cluster: 'virtual', reconcile: () => {} })
  const registering = testPlugin((plugin) => {
    plugin.register(of('first'))
    plugin.register(of('second'))
  })
  await t.rejects(registering, {
    code: 'INVALID_REGISTRATION',
    message: /first and second both reconcile backups/,
  })
})
