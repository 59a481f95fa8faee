// Forks with data: Modules whose releases have Secrets and ConfigMaps that a fork copies.
import type { Client } from '../../engine/client/client.js'
import { configMaps, persistentVolumeClaims, secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { createChart, helm, helmModule } from '../helm/helm.fixture.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { ModulesOptions } from '../module/connection/modules-options.js'
import { fingerprintOf } from '../module/installation/freeze.js'
import { nameOfCopy } from './fork.js'

/** The Workspace of the source, and the fork. */
export const [dev, copy] = [
  { namespace: 'default', name: 'dev' },
  { namespace: 'default', name: 'copy' },
]
/** The options of the tests. */
export const withData: ModulesOptions = { helm, forkData: {} }
/** The same with volumes. */
export const withVolumes: ModulesOptions = { helm, forkData: { volumes: { image: 'operator:1' } } }
const names = (one: string) => ({ enabled: true, names: [one] })
/** The data that the Module names. */
export const migration = { secret: names('{{ .releaseName }}'), configMap: names('{{ .releaseName }}') }

/** Creates the chart and a Module with a release of it. */
export async function createSource(
  client: Client,
  more: object = {},
  kinds = ['Secret', 'ConfigMap'],
): Promise<void> {
  await createChart(client)
  const values = [{ raw: { only: kinds, text: 'first', password: 'chart' } }]
  await client.create(modules, helmModule({ values, migration, ...more }))
}

interface Installed {
  readonly name: string
  readonly release: string
  readonly workspace?: object
  readonly labels?: Record<string, string>
  /** The data that the Module names. */
  readonly migration?: object
}

/**
 * Creates a Module as an operator has installed it before, with the objects of its release: their writes are none of
 * the fork.
 */
async function createInstalled(
  client: Client,
  { name, release, workspace = dev, labels = {}, migration: data = migration }: Installed,
): Promise<string> {
  const own = { migration: data, releaseName: release }
  const made = helmModule(own, { workspace } as never, name)
  const frozen = {
    kind: 'Helm',
    spec: made.spec.helm,
    values: {},
    cluster: 'main',
    fingerprint: fingerprintOf(made),
  }
  const annotations = {
    'forkspacer.com/resource': JSON.stringify(frozen),
    'forkspacer.com/manager-data': JSON.stringify({ release: { name: release, namespace: 'default' } }),
  }
  const metadata = { ...made.metadata, labels, annotations, finalizers: ['forkspacer.com/module'] }
  const live = await client.create(modules, { ...made, metadata })
  const status = { phase: 'ready', lastActivity: '2024-01-01T00:00:00Z' }
  await client.patch(modules, keyOf(live), { type: 'merge', body: { status }, subresource: 'status' })
  const { uid = '' } = live.metadata
  await createObjects(client, release, uid)
  return uid
}

/** Creates the objects of the release of a Module. */
async function createObjects(client: Client, release: string, uid: string): Promise<void> {
  const place = { ...dev, name: release, labels: { 'forkspacer.com/module': uid } }
  await client.create(secrets, { metadata: place })
  await client.create(configMaps, { metadata: place })
  for (const volume of ['data', 'log'])
    await client.create(persistentVolumeClaims, {
      metadata: { ...place, name: `${volume}-${release}-0` },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
}

/** Creates the source and its copy, both installed. */
export async function createPair(client: Client, data?: object): Promise<void> {
  const more = data && { migration: data }
  const uid = await createInstalled(client, { name: 'shop', release: 'web', ...more })
  await writeSource(client)
  const labels = { 'forkspacer.com/forked-from': uid }
  await createInstalled(client, { name: copiedModule, release: 'web-copy', workspace: copy, labels, ...more })
}

/** Changes the data of the source, as its users do. */
export async function writeSource(client: Client): Promise<void> {
  const data = {
    password: Buffer.from('theirs').toString('base64'),
    more: Buffer.from('x').toString('base64'),
  }
  await client.patch(secrets, { ...dev, name: 'web' }, { type: 'merge', body: { data } })
  await client.patch(
    configMaps,
    { ...dev, name: 'web' },
    { type: 'merge', body: { data: { text: 'changed' } } },
  )
}

/** Creates the fork. */
export const createFork = ({ client }: { readonly client: Client }, metadata = copy) =>
  client.create(workspaces, { metadata, spec: { from: { ...dev, migrateData: true } } } as never)

/** The name of the copy of the Module. */
export const copiedModule = nameOfCopy(helmModule(), { metadata: copy } as Workspace)

/** The name of the release of the copy. */
export async function releaseOfCopy(client: Client): Promise<string> {
  const { metadata } = await client.get(modules, { ...copy, name: copiedModule })
  const text = metadata.annotations?.['forkspacer.com/manager-data'] ?? '{}'
  return JSON.parse(text).release?.name
}

/** The data of the release of the copy. */
export async function dataOfCopy(client: Client): Promise<Record<string, unknown>> {
  const key = { namespace: 'default', name: await releaseOfCopy(client) }
  const of = (object: KubeObject & { data?: Record<string, string> | undefined }) => object.data
  const gone = (error: unknown): undefined => {
    if (!isNotFound(error)) throw error
  }
  const [secret, configMap] = [
    client.get(secrets, key).then(of, gone),
    client.get(configMaps, key).then(of, gone),
  ]
  return { secret: await secret, configMap: await configMap }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
/** The data of the release of the copy after the fork. */
export const copied = {
  secret: { password: base64('theirs'), more: base64('x') },
  configMap: { text: 'changed' },
}
