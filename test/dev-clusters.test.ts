// Tests `vcluster-plugin dev` with existing clusters: API servers of this process, and a real one if
// available.
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import type { ClusterOptions, RealOptions } from '../cli/clusters/cluster-options.js'
import { oneContext } from '../cli/clusters/one-context.js'
import { openRealClusters } from '../cli/clusters/real-clusters.js'
import type { DevOptions } from '../cli/dev/dev-options.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, namespaces, priorityClasses, services } from '../sdk/engine/kube/builtin.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { hostNamespaceOf } from '../sdk/vcluster/naming/names.js'
import type { SyncerDescription } from '../sdk/vcluster/plugin/description.js'
import { createApiServer, inProcessTransport } from '../testing/index.js'
import { DevRun } from './dev-run.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)
t.jobs = 2

const example = 'examples/sync-all-configmaps'
const namespace = 'team-a'

/** A cluster that `dev` did not start. */
interface Found {
  url: string
  client: Client
  /** Its kubeconfig, with the cluster's name as the only context. */
  file: string
  /** The writes of other processes: `create configmaps team-a`. */
  writes: string[]
}

async function find(t: Test, folder: string, name: string): Promise<Found> {
  const server = await createApiServer({ name })
  t.teardown(() => server.close())
  const url = await server.listen()
  const file = join(folder, name)
  await writeFile(file, await server.kubeconfig({ user: 'somebody' }))
  const writes: string[] = []
  const reads = ['get', 'list', 'watch']
  const note = ({ verb, resource, namespace }: Record<'verb' | 'resource' | 'namespace', string>) => {
    if (!reads.includes(verb) && !resource.startsWith('selfsubject'))
      writes.push(`${verb} ${resource} ${namespace}`)
    return false
  }
  server.faults.add({ user: 'somebody', where: note }, { type: 'delay', delayMs: 0 })
  return { url, file, writes, client: createClient({ transport: inProcessTransport(server) }) }
}

/** A host cluster with a namespace for copies. */
async function findHost(t: Test, folder: string): Promise<Found> {
  const host = await find(t, folder, 'host')
  await host.client.create(namespaces, { metadata: { name: namespace } })
  return host
}

const copyOf = (name: string) => ({ namespace, name: `${name}-x-default-x-dev` })

for (const mode of ['v2', 'standalone']) {
  void t.test(`on a real host only copies of the plugin are written, in ${mode}`, async (t) => {
    const folder = t.testdir()
    const host = await findHost(t, folder)
    const flags = ['--kubeconfig', host.file, '--context', 'host', '-n', namespace, '--mode', mode]
    const dev = new DevRun(['dev', example, '--dir', join(folder, 'dev'), '--once', ...flags])
    await dev.line(
      new RegExp(`^host +${host.url} {2}context host of ${host.file} {2}copies in ${namespace}$`),
    )
    await dev.line(/ created/)
    await dev.line(/^4 of 4 samples mirrored/)
    t.strictSame(await dev.ended, { code: 0, signal: null })
    t.strictSame(dev.errors, [])
    t.match(await host.client.get(configMaps, copyOf('greeting')), {
      metadata: { labels: { 'vcluster.loft.sh/managed-by': 'dev' } },
    })
    const others = new Set(host.writes.filter((write) => !/ (leases|events) /.test(write)))
    t.strictSame([...others], [`create configmaps ${namespace}`])
  })
}

void t.test(
  'a real virtual cluster gets only the named samples, and a flag creates its namespace on the host',
  async (t) => {
    const folder = t.testdir({ 'seed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: named\n' })
    const [host, virtual] = [await find(t, folder, 'host'), await find(t, folder, 'virtual')]
    const start = (...flags: string[]) => {
      const clusters = ['--kubeconfig', host.file, '--virtual', virtual.file, '-n', namespace]
      return new DevRun(['dev', example, '--dir', join(folder, 'dev'), '--no-watch', ...clusters, ...flags])
    }
    const first = start('--create-namespace')
    t.teardown(() => first.signal('SIGKILL'))
    await first.line(new RegExp(`^virtual +${virtual.url} {2}context virtual of ${virtual.file}$`))
    await first.line(/^dev +created the namespace team-a, which is kept on exit$/)
    await first.line(
      /^dev +samples\.yaml is skipped: a real virtual cluster gets only samples that --samples names$/,
    )
    await first.line(
      new RegExp(`kubectl --kubeconfig ${virtual.file} --context virtual create configmap hello `),
    )
    t.strictSame(virtual.writes, [])
    await virtual.client.create(configMaps, { metadata: { namespace: 'default', name: 'made' } })
    await first.line(/^default\/made -> team-a\/made-x-default-x-dev {2}created/)
    first.signal('SIGTERM')
    t.match(await first.ended, { code: 0 })

    const second = start('--once', '--samples', join(folder, 'seed.yaml'))
    await second.line(/^1 of 1 samples mirrored/)
    t.match(await second.ended, { code: 0 })
    t.strictSame(virtual.writes, ['create configmaps default'])
    t.ok(await host.client.get(configMaps, copyOf('named')))
  },
)

const asked: DevOptions & ClusterOptions = {
  folder: example,
  dir: '',
  vclusterName: 'dev',
  targetNamespace: namespace,
  mode: 'sidecar',
  once: true,
  watch: false,
  samples: undefined,
  inspect: undefined,
  verbose: false,
  asAdmin: false,
  real: undefined,
  faults: {},
  virtualPort: 0,
  hostPort: 0,
  vclusterPort: 0,
}
const byFile = {
  context: undefined,
  virtual: undefined,
  createNamespace: false,
  deleteOrphans: false,
  describe: async () => ({
    kind: 'PluginDescription' as const,
    name: 'copies',
    syncers: [{ name: 'configmap', resource: configMaps }],
    hostReads: [],
    virtualReads: [],
  }),
}

void t.test('an error for a forbidden cluster names the context and the remedy', async (t) => {
  const folder = t.testdir()
  const host = await findHost(t, folder)
  const spec = { ports: [{ port: 443 }] }
  await host.client.create(services, { metadata: { namespace, name: 'real' }, spec })
  const gone = join(folder, 'gone')
  await writeFile(gone, (await readFile(host.file, 'utf8')).replace(host.url, 'https://127.0.0.1:1'))
  const refused = (real: Partial<RealOptions>, options: Partial<ClusterOptions> = {}) =>
    openRealClusters({ ...asked, ...options }, { ...byFile, kubeconfig: host.file, ...real })
  await t.rejects(refused({ kubeconfig: gone }), {
    code: 'CLUSTER_UNREACHABLE',
    message:
      /^the host cluster of context host of \S+ \(https:\/\/127\.0\.0\.1:1\) does not answer: .*; try: kubectl --kubeconfig \S+ --context host version$/,
  })
  await t.rejects(refused({ context: 'other' }), {
    code: 'INVALID_KUBECONFIG',
    message: /^kubeconfig \S+ has no context "other"; it has: host\.$/,
  })
  await t.rejects(refused({}, { targetNamespace: 'none' }), {
    code: 'NO_NAMESPACE',
    message:
      /^there is no namespace none in the cluster of context host of \S+; choose another with --namespace, or create it with --create-namespace or: kubectl --kubeconfig \S+ --context host create namespace none$/,
  })
  await t.rejects(refused({}, { vclusterName: 'real' }), {
    code: 'WOULD_DELETE_COPIES',
    message:
      /^the Service team-a\/real in the cluster of context host of \S+ belongs to a vcluster\. .*: pass the virtual cluster of that vcluster with --virtual, or use another vcluster name with --name$/,
  })
  await t.rejects(refused({ virtual: host.file }), {
    code: 'SAME_CLUSTER',
    message: /^the cluster of context host of \S+ cannot be both the host and the virtual cluster; /,
  })
  t.strictSame(host.writes, [])
})

void t.test(
  'copies that would be deleted because the virtual cluster is the wrong one are named',
  async (t) => {
    const folder = t.testdir()
    const [host, virtual] = [await findHost(t, folder), await find(t, folder, 'virtual')]
    const copy = (name: string) => ({
      metadata: {
        ...copyOf(name),
        labels: { 'vcluster.loft.sh/managed-by': 'dev' },
        annotations: {
          'vcluster.loft.sh/object-name': name,
          'vcluster.loft.sh/object-namespace': 'default',
        },
      },
    })
    for (const name of ['kept', 'lost']) await host.client.create(configMaps, copy(name))
    await virtual.client.create(configMaps, { metadata: { namespace: 'default', name: 'kept' } })
    const real = { ...byFile, kubeconfig: host.file, virtual: virtual.file }
    await t.rejects((await openRealClusters(asked, real)).prepare(), {
      code: 'WOULD_DELETE_COPIES',
      message:
        /^the plugin would delete 1 of 2 copies of kind ConfigMap \(team-a\/lost-x-default-x-dev\) in context host of \S+, because their originals are not in the virtual cluster, context virtual of \S+; .* add --delete-orphans if these copies may be deleted$/,
    })
    await t.resolves((await openRealClusters(asked, { ...real, deleteOrphans: true })).prepare())
    await virtual.client.create(configMaps, { metadata: { namespace: 'default', name: 'lost' } })
    await t.resolves((await openRealClusters(asked, real)).prepare())
  },
)

void t.test('copies without a namespace and in other namespaces are guarded as well', async (t) => {
  const folder = t.testdir()
  const [host, virtual] = [await findHost(t, folder), await find(t, folder, 'virtual')]
  const made = (name: string, marker: string) => ({
    name: `${name}-copy`,
    labels: { 'vcluster.loft.sh/managed-by': marker },
    annotations: { 'vcluster.loft.sh/object-name': name, 'vcluster.loft.sh/object-namespace': '' },
  })
  const refusal = async (...syncers: SyncerDescription[]) => {
    const describe = async () => ({ ...(await byFile.describe()), syncers })
    const real = { ...byFile, describe, kubeconfig: host.file, virtual: virtual.file }
    const clusters = await openRealClusters(asked, real)
    return clusters.prepare().catch((error: Error) => error.message)
  }
  const cluster = { name: 'cluster', resource: priorityClasses }
  const named = { name: 'named', resource: configMaps, hostNamespaces: ['one', 'two'] }
  const everywhere = { ...named, hostNamespaces: [''] }
  await host.client.create(priorityClasses, { metadata: made('other', 'team-b-x-dev'), value: 1 })
  t.equal(await refusal(cluster, named, everywhere), undefined, 'a copy of another vcluster')
  t.equal(await refusal({ name: 'unknown', resource: { ...configMaps, group: 'my.domain' } }), undefined)

  await host.client.create(priorityClasses, { metadata: made('lost', 'team-a-x-dev'), value: 1 })
  t.match(await refusal(cluster), /would delete 1 of 1 copies of kind PriorityClass \(lost-copy\) in /)
  await host.client.create(namespaces, { metadata: { name: 'two' } })
  await host.client.create(configMaps, { metadata: { ...made('lost', 'dev'), namespace: 'two' } })
  for (const syncer of [named, everywhere])
    t.match(await refusal(syncer), /would delete 1 of 1 copies of kind ConfigMap \(two\/lost-copy\) in /)
})

void t.test('copies of another vcluster with the same name are not orphans of this one', async (t) => {
  const folder = t.testdir()
  const [host, virtual] = [await findHost(t, folder), await find(t, folder, 'virtual')]
  const copyIn = async (hostNamespace: string) => {
    await host.client.create(namespaces, { metadata: { name: hostNamespace } })
    const annotations = {
      'vcluster.loft.sh/object-name': 'lost',
      'vcluster.loft.sh/object-namespace': 'default',
    }
    const labels = { 'vcluster.loft.sh/managed-by': 'dev' }
    const metadata = { namespace: hostNamespace, name: 'lost', labels, annotations }
    await host.client.create(configMaps, { metadata })
  }
  const syncers = [{ name: 'own', resource: configMaps, hostNamespaces: [''] }]
  const describe = async () => ({ ...(await byFile.describe()), syncers })
  const real = { ...byFile, describe, kubeconfig: host.file, virtual: virtual.file }
  const prepared = async () => (await openRealClusters(asked, real)).prepare()
  await copyIn(hostNamespaceOf('default', 'team-b', 'dev'))
  await t.resolves(prepared())
  const own = hostNamespaceOf('default', namespace, 'dev')
  await copyIn(own)
  await t.rejects(prepared(), {
    code: 'WOULD_DELETE_COPIES',
    message: new RegExp(`1 of 2 copies of kind ConfigMap .${own}/lost`),
  })
})

void t.test('a kubeconfig reduced to one context works in another folder', async (t) => {
  const folder = t.testdir()
  const text = `
clusters:
- { name: a, cluster: { server: 'https://a', certificate-authority: pki/ca.crt } }
- { name: b, cluster: { server: 'https://b' } }
users:
- { name: u, user: { client-certificate: /u.crt, client-key: u.key } }
- name: p
  user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [x] } }
contexts:
- { name: one, context: { cluster: a, user: u, namespace: n } }
- { name: two, context: { cluster: b, user: p } }
current-context: one
`
  const file = join(folder, 'config')
  await writeFile(file, text)
  const one = parse((await oneContext({ file })).text)
  t.match(one, {
    'current-context': 'one',
    clusters: [{ cluster: { 'certificate-authority': join(folder, 'pki/ca.crt') } }],
    users: [{ user: { 'client-certificate': '/u.crt', 'client-key': join(folder, 'u.key') } }],
    contexts: [{ name: 'one', context: { namespace: 'n' } }],
  })
  t.same([one.clusters.length, one.users.length, one.contexts.length], [1, 1, 1])
  const { context, text: two } = await oneContext({ file, context: 'two' })
  t.equal(context, 'two')
  t.match(parse(two).users, [{ name: 'p', user: { exec: { command: join(folder, 'login'), args: ['x'] } } }])
  const [{ user }] = parse(two).users
  t.strictSame(user.exec.env, [{ name: 'HOME', value: homedir() }], 'the home of the plugin is another')
})

void t.test('objects are copied to a real kube-apiserver', { skip: missingAssets() }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const flags = ['--kubeconfig', cluster.kubeconfigFile, '--create-namespace', '--once']
  const dev = new DevRun(['dev', example, '--dir', t.testdir(), ...flags])
  await dev.line(/^dev +created the namespace vcluster-dev, which is kept on exit$/)
  await dev.line(/^default\/greeting -> vcluster-dev\/greeting-x-default-x-dev {2}created/)
  await dev.line(/^4 of 4 samples mirrored/)
  t.strictSame(await dev.ended, { code: 0, signal: null })
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const made = { namespace: 'vcluster-dev' }
  t.equal((await createClient({ transport }).listAll(services, made)).items.length, 0)
})
