import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/client/client.js'
import { createClient } from '../../sdk/client/create-client.js'
import type { Side } from '../../sdk/context/register-context.js'
import { namespaces } from '../../sdk/kube/builtin.js'
import { canonicalJson } from '../../sdk/kube/canonical-json.js'
import { isAlreadyExists } from '../../sdk/kube/error.js'
import { formatKey, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { formatResource, type Resource } from '../../sdk/kube/resource.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { differences } from '../scenario/end-state.js'
import { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'

/** Objects of one kind. */
export interface KindState<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>
  readonly objects: readonly T[]
}

/** What clusters hold, or must hold. */
export type ClusterStates = Readonly<Partial<Record<Side, readonly KindState[]>>>

/** A test of one story: what there is, what is done, and what must have become of it. */
export interface SyncTest {
  readonly register: Register
  /** What the clusters hold before the plugin starts; namespaces are made as they are needed. */
  readonly initial?: ClusterStates
  /** What is done once the plugin has worked that off; default nothing. */
  readonly run?: (test: TestPlugin) => Promise<unknown>
  /**
   * What they hold in the end: of each kind named here these objects and no others. What an API server fills in, owners,
   * and marks of vcluster need not be said; a status is compared where one is expected.
   */
  readonly expected: ClusterStates
  readonly options?: TestPluginOptions
}

/**
 * Runs a plugin over a state of both embedded clusters, and compares what comes out; in the manner of the Go SDK's
 * `SyncTest` (`syncer/testing/testing.go` @ vcluster-sdk v0.4.2), with real API servers' rules in place of fake clients.
 * Throws an error that names every object which is missing, differs, or should not be there.
 */
export async function syncTest({
  register,
  initial = {},
  run,
  expected,
  options = {},
}: SyncTest): Promise<void> {
  const servers = {
    virtualServer: options.virtualServer ?? (await createApiServer({ name: 'virtual' })),
    hostServer: options.hostServer ?? (await createApiServer({ name: 'host' })),
  }
  const clients: Record<Side, Client> = {
    virtual: createClient({ transport: inProcessTransport(servers.virtualServer) }),
    host: createClient({ transport: inProcessTransport(servers.hostServer) }),
  }
  for (const side of sides) await fill(clients[side], initial[side] ?? [])
  const test = await testPlugin(register, { ...options, ...servers })
  try {
    await run?.(test)
    await test.settled()
    const problems: string[] = []
    for (const side of sides) problems.push(...(await compare(side, clients[side], expected[side] ?? [])))
    if (problems.length > 0)
      throw new Error(`the clusters end otherwise than expected:\n  ${problems.join('\n  ')}`)
  } finally {
    await test.stop()
  }
}

const sides = ['virtual', 'host'] as const

async function fill(client: Client, states: readonly KindState[]): Promise<void> {
  for (const { resource, objects } of states) {
    for (const object of objects) {
      const { namespace } = object.metadata
      if (namespace) await createdOrThere(client.create(namespaces, { metadata: { name: namespace } }))
      await client.create(resource, object)
    }
  }
}

async function createdOrThere(created: Promise<unknown>): Promise<void> {
  try {
    await created
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function compare(side: Side, client: Client, states: readonly KindState[]): Promise<string[]> {
  const problems: string[] = []
  for (const { resource, objects } of states) {
    const name = (object: KubeObject) => `${side} ${formatResource(resource)} ${formatKey(keyOf(object))}`
    const withStatus = new Set(objects.filter((object) => 'status' in object).map(name))
    const text = (object: KubeObject) => comparable(object, withStatus.has(name(object)))
    const there = (await client.listAll(resource)).items.filter((object) => !isServersOwn(object))
    const wanted = await Promise.all(objects.map((object) => filledIn(client, resource, object)))
    problems.push(...differences(textsOf(there, name, text), textsOf(wanted, name, text)))
  }
  return problems
}

function textsOf(
  objects: readonly KubeObject[],
  name: (object: KubeObject) => string,
  text: (object: KubeObject) => string,
): Map<string, string> {
  return new Map(objects.map((object) => [name(object), text(object)]))
}

/** What every namespace has by itself, and its copies. */
function isServersOwn({ metadata }: KubeObject): boolean {
  return metadata.name?.startsWith('kube-root-ca.crt') === true
}

/** The object with all that an API server would fill in, and the status it was given. */
async function filledIn<T extends KubeObject>(client: Client, resource: Resource<T>, object: T): Promise<T> {
  const named = { ...object, metadata: { ...object.metadata, name: 'expected' } }
  const filled = await client.create(resource, named, { dryRun: true })
  const metadata = { ...filled.metadata, name: object.metadata.name ?? '' }
  return { ...filled, metadata, ...('status' in object && { status: object.status }) }
}

const filledByServers: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'ownerReferences',
  'selfLink',
])
const chosenByServers: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
])

function comparable(object: KubeObject, withStatus: boolean): string {
  const { metadata, ...rest } = object
  const members = Object.entries({ ...rest, metadata: ownMetadata(metadata) })
  const skipped = withStatus ? ['apiVersion', 'kind'] : ['apiVersion', 'kind', 'status']
  const own = Object.fromEntries(members.filter(([name]) => !skipped.includes(name)))
  return canonicalJson('spec' in own ? { ...own, spec: withoutChoices(own.spec) } : own)
}

function ownMetadata(metadata: KubeObject['metadata']): object {
  const { labels, annotations, ...rest } = metadata
  const own = Object.entries(rest).filter(([name]) => !filledByServers.has(name))
  return Object.fromEntries([...own, ['labels', unmarked(labels)], ['annotations', unmarked(annotations)]])
}

const unmarked = (marks: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(marks).filter(([name]) => !/^(?:plugin\.)?vcluster\.loft\.sh\//.test(name)),
  )

/** Addresses and ports are taken by chance. */
function withoutChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChoices)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !chosenByServers.has(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutChoices(member)]))
}
