import t from 'tap'
import type { RegisterContext } from '../context/register-context.js'
import { askForAll } from '../controller/course.js'
import { configMaps, nodes, pods, secrets, storageClasses } from '../kube/builtin.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Registrant } from '../syncer/registrant.js'
import type { Watches } from '../syncer/watches.js'
import { mirrorDown, mirrorUp } from '../translator/mirror.js'
import { NamespacedTranslator } from '../translator/namespaced-translator.js'
import type { ClusterRuntime } from './cluster-runtime.js'
import { describePlugin, type PluginDescription } from './description.js'
import { type NeededPermission, permissionsOf } from './permissions.js'
import { createPlugin } from './plugin.js'

async function described(
  registrantsOf: (ctx: RegisterContext) => readonly Registrant[],
): Promise<PluginDescription> {
  const env = { VCLUSTER_PLUGIN_DESCRIBE: '1', VCLUSTER_PLUGIN_NAME: 'mine' }
  const plugin = createPlugin({ env })
  const ctx = await plugin.init()
  const registrants = registrantsOf(ctx)
  for (const one of registrants) if (one instanceof Reconciler) askForAll(one, ctx)
  const { reads: hostReads } = ctx.host as ClusterRuntime
  const { reads: virtualReads } = ctx.virtual as ClusterRuntime
  return describePlugin({ name: 'mine', registrants, hostReads, virtualReads })
}

class NodeMaker extends FakeSyncer {
  override readonly permissions = [
    { side: 'host', group: '', resource: 'pods/log', verbs: ['get'] },
    { side: 'host', group: 'apps', resource: 'deployments', verbs: ['get'], namespace: 'elsewhere' },
  ] as const

  constructor() {
    super('node-maker', nodes)
  }

  override modifyController(watches: Watches) {
    watches.watch(pods, { side: 'host', keysOf: () => [] })
    watches.watch(secrets, { side: 'host', namespace: 'shared', keysOf: () => [] })
  }

  async fakeSyncUp() {}
  async fakeSync() {}
}

class Elsewhere extends NamespacedTranslator {
  override readonly hostNamespaces = ['one', 'two']

  async syncDown() {}
  async sync() {}
}

/** `host configmaps in (target): get list (configmap)`, with a question mark for what is optional. */
function line({ side, group, resource, namespace, verbs, neededBy, optional }: NeededPermission): string {
  const kind = group === '' ? resource : `${resource}.${group}`
  const where = namespace === undefined ? '' : ` in ${namespace || 'all'}`
  return `${side} ${kind}${where}: ${verbs.join(' ')}${optional ? '?' : ''} (${neededBy.join(', ')})`
}

const ownLines = [
  'host services: get (the owner of copies)',
  'host services: list watch? (the owner of copies)',
  'virtual events: create patch? (Events)',
]

void t.test('what a plugin has to be allowed is told by what it registers', async (t) => {
  const down = await described((ctx) => [mirrorDown(ctx, configMaps)])
  t.strictSame(permissionsOf(down).map(line), [
    'host configmaps: create delete get list update watch (configmap-down, what the plugin watches)',
    'host configmaps: patch? (configmap-down)',
    'virtual configmaps: list watch (what the plugin watches)',
    ...ownLines,
  ])
  const up = await described((ctx) => [mirrorUp(ctx, storageClasses)])
  t.strictSame(permissionsOf(up).map(line), [
    'virtual storageclasses.storage.k8s.io: get list watch (storageclass-up, what the plugin watches)',
    'virtual storageclasses.storage.k8s.io: create delete patch update? (storageclass-up)',
    'host storageclasses.storage.k8s.io in all: list watch (what the plugin watches)',
    ...ownLines,
  ])
})

void t.test('what a plugin says for itself, watches beside, or needs on its own is told, too', async (t) => {
  const description = await described(() => [new NodeMaker()])
  t.strictSame(permissionsOf(description, { mode: 'standalone' }).map(line), [
    'virtual nodes: get list watch (node-maker, what the plugin watches)',
    'virtual nodes: create delete patch update? (node-maker)',
    'host pods: list watch (what the plugin watches)',
    'host secrets in shared: list watch (what the plugin watches)',
    'host pods/log: get (node-maker)',
    'host deployments.apps in elsewhere: get (node-maker)',
    ...ownLines,
    'host leases.coordination.k8s.io: create get update (leadership)',
  ])
})

void t.test('other namespaces of the host are told by their names', async (t) => {
  const description = await described((ctx) => [new Elsewhere(ctx, 'configmap', configMaps)])
  t.strictSame(permissionsOf(description).map(line).slice(0, 4), [
    'host configmaps in one: create delete get list update watch (configmap, what the plugin watches)',
    'host configmaps in one: patch? (configmap)',
    'host configmaps in two: create delete get list update watch (configmap, what the plugin watches)',
    'host configmaps in two: patch? (configmap)',
  ])
})
