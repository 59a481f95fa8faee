import t from 'tap'
import { running } from '../../../../testing/plugin/running.fixture.js'
import type { Register, TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  priorityClasses,
  type Secret,
  secrets,
} from '../../../engine/kube/builtin.js'
import type { KubeObject, ObjectMeta } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { FromHostTranslator } from './from-host-translator.js'
import type { HostSelect } from './host-selection.js'
import { mirrorBoth, mirrorDown, mirrorUp } from './mirror.js'

const own = 'vcluster-vc'
const shared = { 'plugin.vcluster.loft.sh/sync-from-host': 'true' }
const merge = (body: object) => ({ type: 'merge', body }) as const

/** The copies that stand in a virtual namespace, by name. */
async function copiesIn(test: TestPlugin, resource: Resource, namespace = 'default'): Promise<string[]> {
  await test.settled()
  const { items } = await test.virtual.list(resource, resource.namespaced ? { namespace } : {})
  const copies = items.filter(({ metadata }) => metadata.labels?.['plugin.vcluster.loft.sh/managed-by'])
  return copies.map(({ metadata }) => metadata.name ?? '').sort()
}

const encoded = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'eA==']))
const secret = (
  name: string,
  {
    labels,
    type,
    keys = ['text'],
    ...metadata
  }: Partial<ObjectMeta> & { type?: string; keys?: string[] } = {},
): Secret => ({
  metadata: { namespace: own, name, ...metadata, ...(labels && { labels }) },
  ...(type && { type }),
  data: encoded(keys),
})
const serviceOwner = { apiVersion: 'v1', kind: 'Service', name: 'vc', uid: 'b0a9' }

/** The objects in a vcluster's namespace that users did not create. */
const internal: readonly Secret[] = [
  // vcluster 0.36: kubeconfig, certificates and configuration.
  secret('vc-vc', { labels: { app: 'vcluster', 'vcluster-name': 'vc' } }),
  secret('kubeconfig-for-argo', { labels: { app: 'vcluster', 'vcluster-name': 'vc' } }),
  secret('vc-certs', { labels: { app: 'vcluster', 'vcluster-name': 'vc' }, keys: ['ca.key', 'sa.key'] }),
  secret('vc-config-vc', { labels: { app: 'vcluster', release: 'vc', heritage: 'Helm' } }),
  secret('vcluster-platform-api-key', { labels: { 'vcluster.loft.sh/created-by-cli': 'true' } }),
  // vcluster 0.19 labels none of its own: names, owners and contents tell.
  secret('vc-k3s-vc'),
  secret('vc-vc-config'),
  secret('vc-other-vcluster'),
  secret('other-certs', { keys: ['apiserver.key', 'ca.crt', 'ca.key', 'sa.key', 'sa.pub'] }),
  secret('exported', { keys: ['config', 'certificate-authority', 'client-certificate', 'client-key'] }),
  secret('owned', { ownerReferences: [serviceOwner] }),
  // Kubernetes, and Helm.
  secret('default-token-x', {
    type: 'kubernetes.io/service-account-token',
    annotations: { 'kubernetes.io/service-account.name': 'default' },
  }),
  secret('bootstrap-token-abcdef', {
    type: 'bootstrap.kubernetes.io/token',
    keys: ['token-id', 'token-secret'],
  }),
  secret('sh.helm.release.v1.vc.v1', { type: 'helm.sh/release.v1', labels: { owner: 'helm', name: 'vc' } }),
  secret('renamed-release', { labels: { owner: 'helm', status: 'deployed' } }),
  secret('tenant-kubeconfig', { type: 'cluster.x-k8s.io/secret', keys: ['value'] }),
  // The copy of a tenant's object.
  secret('a-x-default-x-vc', { labels: { 'vcluster.loft.sh/managed-by': 'vc' } }),
]

void t.test('Secrets go up when a person has labelled them, and no others', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default' } }))
    plugin.register(mirrorUp(ctx, configMaps, { mappings: { '': 'default' } }))
  })
  await test.host.create(secrets, secret('theirs'))
  await test.host.create(
    secrets,
    secret('refused', { labels: { ...shared, [Object.keys(shared)[0] ?? '']: 'no' } }),
  )
  await test.host.create(secrets, secret('offered', { labels: { ...shared, app: 'web' } }))
  await test.host.create(configMaps, { metadata: { namespace: own, name: 'theirs' } })
  await test.host.create(configMaps, { metadata: { namespace: own, name: 'offered', labels: shared } })
  t.same(await copiesIn(test, secrets), ['offered'])
  t.same(await copiesIn(test, configMaps), ['offered'])
  const copy = await test.virtual.get(secrets, { namespace: 'default', name: 'offered' })
  t.same(copy.metadata.labels, { app: 'web', 'plugin.vcluster.loft.sh/managed-by': 'secret-up' })

  const key = { namespace: own, name: 'offered' }
  await test.host.patch(
    secrets,
    key,
    merge({ metadata: { labels: { [Object.keys(shared)[0] ?? '']: null } } }),
  )
  t.same(await copiesIn(test, secrets), [], 'without its label it is withdrawn')
})

const insistently: Record<string, HostSelect<Secret> | undefined> = {
  'credentials of the cluster, vcluster and Helm stay on the host even if everything is labelled': undefined,
  'they do even if everything is selected': 'all',
  'they do even if a function selects everything': () => true,
}

for (const [title, select] of Object.entries(insistently)) {
  void t.test(title, async (t) => {
    const test = await running(t, (plugin, ctx) =>
      plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default' }, ...(select && { select }) })),
    )
    for (const { metadata, ...rest } of [...internal, secret('offered')]) {
      const labels = { ...metadata.labels, ...shared }
      await test.host.create(secrets, { ...rest, metadata: { ...metadata, labels } })
    }
    t.same(await copiesIn(test, secrets), ['offered'])
  })
}

void t.test('ConfigMaps of the cluster, vcluster and Helm stay on the host', async (t) => {
  const test = await running(t, (plugin, ctx) =>
    plugin.register(mirrorUp(ctx, configMaps, { mappings: { '': 'default' }, select: 'all' })),
  )
  const maps: Record<string, Record<string, string>> = {
    'vc-coredns': {},
    'vc-init-manifests': { app: 'vcluster', chart: 'vcluster-0.19.10', release: 'vc' },
    'sh.helm.release.v1.vc.v1': { owner: 'helm' },
    'restore-1': { 'vcluster.loft.sh/restore-request': '' },
    'a-x-default-x-vc': { 'vcluster.loft.sh/managed-by': 'vc' },
    offered: { app: 'web' },
  }
  for (const [name, labels] of Object.entries(maps))
    await test.host.create(configMaps, { metadata: { namespace: own, name, labels } })
  t.ok(await test.host.get(configMaps, { namespace: own, name: 'kube-root-ca.crt' }))
  t.same(await copiesIn(test, configMaps), ['offered'])
})

void t.test('objects can be selected by expressions and by name', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    const select = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold'] }] }
    plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default', '/named': 'team/named' }, select }))
    plugin.register(
      new FromHostTranslator<ConfigMap>(ctx, 'maps', configMaps, {
        mappings: { '': 'default', '/named': 'team/named' },
      }),
    )
    t.throws(
      () => mirrorUp(ctx, secrets, { mappings: { '': 'x' }, select: { matchLabels: { 'not a key': 'x' } } }),
      { code: 'INVALID_SELECTOR' },
    )
  })
  await test.host.create(secrets, secret('gold', { labels: { tier: 'gold' } }))
  await test.host.create(secrets, secret('labelled', { labels: shared }))
  await test.host.create(secrets, secret('named'))
  await test.host.create(configMaps, { metadata: { namespace: own, name: 'named' } })
  await test.host.create(configMaps, { metadata: { namespace: own, name: 'other' } })
  t.same(await copiesIn(test, secrets), ['gold'])
  t.same(await copiesIn(test, secrets, 'team'), [], 'a selector holds for what a mapping names, too')
  t.same(await copiesIn(test, configMaps), [])
  t.same(await copiesIn(test, configMaps, 'team'), ['named'], 'a mapping that names one object selects it')
})

const clusterRoles: Resource<KubeObject> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}

void t.test('of cluster-scoped kinds classes are shown, and of others only labelled objects', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorUp(ctx, priorityClasses))
    plugin.register(mirrorUp(ctx, namespaces))
    plugin.register(mirrorUp(ctx, clusterRoles, { name: 'roles', select: 'all' }))
  })
  await test.host.create(priorityClasses, { metadata: { name: 'high' }, value: 7 })
  await test.host.create(namespaces, { metadata: { name: 'tenant-two' } })
  await test.host.create(namespaces, { metadata: { name: 'offered', labels: shared } })
  await test.host.create(clusterRoles, { metadata: { name: 'viewer' } })
  await test.host.create(clusterRoles, {
    metadata: { name: 'vc-own', labels: { app: 'vcluster', release: 'vc' } },
  })
  t.ok((await copiesIn(test, priorityClasses)).includes('high'))
  t.same(await copiesIn(test, namespaces), ['offered'])
  const roles = await copiesIn(test, clusterRoles)
  t.ok(roles.includes('viewer') && !roles.includes('vc-own'), `${roles}`)
})

void t.test('copies of an older release without the label are deleted, and the log says why', async (t) => {
  const everything: Register = (plugin, ctx) =>
    plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default' }, select: 'all' }))
  const before = await running(t, everything)
  await before.host.create(secrets, secret('database'))
  t.same(await copiesIn(before, secrets), ['database'])
  await before.stop()
  const said: string[] = []
  const note = (fields: object, message: string) => said.push(`${JSON.stringify(fields)} ${message}`)
  const logger: Logger = { ...silentLogger, info: note, warn: note, child: () => logger }
  const { virtualServer, hostServer } = before
  const labelled: Register = (plugin, ctx) =>
    plugin.register(mirrorUp(ctx, secrets, { mappings: { '': 'default' } }))
  const after = await running(t, labelled, { virtualServer, hostServer, logger })
  t.same(await copiesIn(after, secrets), [])
  t.match(said.join('\n'), /vcluster-vc\/database.*not selected.*plugin\.vcluster\.loft\.sh\/sync-from-host/)
})

void t.test('a tenant’s Secret never passes for a record of the vcluster’s Helm release', async (t) => {
  const labels = { owner: 'helm', name: 'vc', status: 'deployed', version: '99', app: 'web' }
  const forged: Secret = { metadata: { namespace: 'default', name: 'a', labels }, type: 'helm.sh/release.v1' }
  const own = { metadata: { namespace: 'default', name: 'b', labels: { owner: 'me' } } }
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorDown(ctx, secrets))
    plugin.register(mirrorBoth(ctx, configMaps, { remembers: ['*', 'metadata.labels'] }))
  })
  await test.virtual.create(secrets, forged)
  await test.virtual.create(configMaps, { metadata: forged.metadata })
  await test.virtual.create(configMaps, own)
  await test.settled()
  const copy = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
  const { owner: _, ...kept } = labels
  for (const resource of [secrets, configMaps] as const) {
    const { metadata } = await test.host.get<KubeObject>(resource, copy)
    t.match(metadata.labels, kept)
    t.notMatch(metadata.labels, { owner: 'helm' })
  }
  const map = await test.virtual.get(configMaps, { namespace: 'default', name: 'a' })
  t.equal(map.metadata.labels?.owner, 'helm', 'the original keeps it')
  t.equal(
    (await test.host.get(configMaps, { ...copy, name: 'b-x-default-x-vc' })).metadata.labels?.owner,
    'me',
  )
})
