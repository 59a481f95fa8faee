// Plugins of CloudNativePG in Pods with the real operator and a real Postgres: the commands of docs/cnpg.md.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { until } from '../../until.js'
import { deployCnpgOperator, missingOperator } from '../cnpg-operator.js'
import { deployExample, manifest } from '../deploy-example.js'
import { localVolumes } from '../local-volumes.js'
import type { Loose, RealNode } from '../real-node.js'
import { loadImage } from '../stand-in.js'
import type { PodCase } from './pod-case.js'

const system = 'cnpg-system'
const inDatabases = ['-n', 'databases']
const restricted = 'pod-security.kubernetes.io/enforce=restricted'
const walFile = /^[0-9A-F]{24}$/

export const cnpg: PodCase = {
  title: 'CloudNativePG: the operator and its plugins in Pods, with a Postgres that archives and restores',
  skip: missingOperator(),
  async run(t, node) {
    for (const namespace of [system, 'databases']) {
      await node.kubectl('create', 'namespace', namespace)
      await node.kubectl('label', 'namespace', namespace, restricted)
    }
    await loadImage(node, 'registry.k8s.io/pause:3.10', { lines: ['FROM localhost/pause:1'] })
    const [archive = ''] = await archiveVolume(node)
    const operator = deployCnpgOperator(node)
    for (const example of ['cnpg-hello-world', 'cnpg-wal-archive']) {
      const { sizes } = await deployExample(t, node, example, { args: ['--self-signed'] })
      t.comment(`${example} ${await sizes()}`)
    }
    await operator
    await t.test('a Cluster becomes healthy with the containers of the plugins', (t) => healthy(t, node))
    await t.test('a row of Postgres is archived and restored', (t) => restored(t, node, archive))
    // Other cases get its processor time.
    await node.kubectl(...inDatabases, 'delete', 'clusters', '--all')
    await node.kubectl('-n', 'cnpg-system', 'scale', 'deployments', '--all', '--replicas=0')
  },
}

/** Volumes of the Cluster, and the claim of its archive. Returns the folder of the archive. */
async function archiveVolume(node: RealNode): Promise<string[]> {
  const folders = await localVolumes(node, { storageClass: 'archive', count: 1 })
  await localVolumes(node, { storageClass: 'databases', count: 2, isDefault: true })
  await node.apply({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'wal-archive', namespace: 'databases' },
    spec: {
      accessModes: ['ReadWriteMany'],
      storageClassName: 'archive',
      resources: { requests: { storage: '1Gi' } },
    },
  })
  return folders
}

async function healthy(t: Test, node: RealNode): Promise<void> {
  const sample = parse(await readFile('examples/cnpg-wal-archive/samples/archived.yaml', 'utf8'))
  sample.spec.plugins.push({ name: 'hello-world.example.org' })
  const beganMs = performance.now()
  // The operator writes its authority into the configurations of its webhooks a moment after it is ready.
  await until(() => node.apply(sample, ...inDatabases).then(() => true))
  await isHealthy(node)
  t.comment(`two instances are healthy after ${Math.round((performance.now() - beganMs) / 1000)} s`)
  const { spec, status } = await node.get(...inDatabases, 'cluster', 'archived')
  t.match(spec.plugins[1].parameters, { labels: '{"plugin-metadata":"default"}' }, 'a webhook filled it')
  t.match(
    status.pluginStatus.map(({ name }: Loose) => name),
    ['hello-world.example.org', 'wal-archive.example.org'],
  )
  for (const pod of await instances(node)) {
    t.equal(pod.metadata.labels['plugin-metadata'], 'default')
    for (const name of ['wal-archive', 'pauser'])
      t.match(sidecarOf(pod, name), { ready: true, state: { running: {} } })
  }
}

async function restored(t: Test, node: RealNode, volume: string): Promise<void> {
  const folder = join(volume, 'archived')
  const primary: string = (await node.get(...inDatabases, 'cluster', 'archived')).status.currentPrimary
  const replica: string = (await instances(node)).find(({ metadata }) => metadata.name !== primary).metadata
    .name
  await sql(node, primary, 'CREATE TABLE lines AS SELECT generate_series(1, 1000) AS n')
  const first = await archived(node, { primary, folder })

  await t.test('the sidecar starts again, and archives again', async () => {
    await node.kubectl(
      ...inDatabases,
      'exec',
      primary,
      '-c',
      'wal-archive',
      '--',
      'node',
      '-e',
      'process.kill(1)',
    )
    await until(
      async () => sidecarOf(await node.get(...inDatabases, 'pod', primary), 'wal-archive').restartCount === 1,
    )
    await sql(node, primary, 'INSERT INTO lines SELECT generate_series(1001, 2000)')
    t.not(await archived(node, { primary, folder }), first)
  })

  await t.test(
    'an instance that is made again restores from the archive, by plugins with renewed certificates',
    async (t) => {
      for (const example of ['cnpg-hello-world', 'cnpg-wal-archive']) await renew(node, example)
      const { uid } = (await node.get(...inDatabases, 'pod', replica)).metadata
      await node.kubectl(...inDatabases, 'delete', 'pod', replica)
      await until(async () => (await node.get(...inDatabases, 'pod', replica)).metadata.uid !== uid)
      await isHealthy(node)
      const log = await node.kubectl(...inDatabases, 'logs', replica, '-c', 'postgres')
      t.match(log, /restored log file \\"[0-9A-F]{24}\\" from archive/)
      await until(async () => (await sql(node, replica, 'SELECT count(*) FROM lines')) === '2000')
    },
  )
}

/** Ends the present WAL file of the primary, and returns its name when it is in the archive. */
async function archived(
  node: RealNode,
  { primary, folder }: { primary: string; folder: string },
): Promise<string> {
  const name = await sql(node, primary, 'SELECT pg_walfile_name(pg_switch_wal())')
  await until(async () => (await readdir(folder)).filter((file) => walFile.test(file)).includes(name))
  return name
}

/** Renews the certificates of a plugin by the commands of docs/cnpg.md. */
async function renew(node: RealNode, example: string): Promise<void> {
  const secrets = ['server', 'client'].map((side) => `${example.replace('cnpg-', '')}-${side}-tls`)
  const present = await node.kubectl('get', 'secrets', '-n', system, ...secrets, '-o', 'yaml')
  const renewed = await manifest(example, {
    args: ['--image', `${example}:v1`, '--renew', '-'],
    input: present,
  })
  await node.run('kubectl', ['apply', '--server-side', '-f', '-'], renewed)
}

async function isHealthy(node: RealNode): Promise<void> {
  await until(
    async () => {
      const { status } = await node.get(...inDatabases, 'cluster', 'archived')
      return status.phase === 'Cluster in healthy state' && status.readyInstances === 2
    },
    { withinMs: 600_000 },
  )
}

const instances = async (node: RealNode): Promise<Loose[]> =>
  (await node.get(...inDatabases, 'pods', '-l', 'cnpg.io/podRole=instance')).items

const sidecarOf = (pod: Loose, name: string): Loose =>
  pod.status.initContainerStatuses.find((one: Loose) => one.name === name)

const sql = async (node: RealNode, pod: string, text: string): Promise<string> =>
  (
    await node.kubectl(
      ...inDatabases,
      'exec',
      pod,
      '-c',
      'postgres',
      '--',
      'psql',
      '-U',
      'postgres',
      '-tAc',
      text,
    )
  ).trim()
