// The operations of a container, each interrupted before and after each of their writes, and then repeated.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { discoverKinds } from '../../engine/client/discover-kinds.js'
import { deployments, namespaces, secrets, serviceAccounts, services } from '../../engine/kube/builtin.js'
import { roleBindings, roles } from '../../engine/kube/builtin-policies.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { systemClock } from '../../engine/time/clock.js'
import { modules } from '../kinds/module-kind.js'
import { clientCluster, moduleLabel } from '../manager/client-cluster.js'
import type { OperationContext, OperationKind } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import { until } from '../manager/until.js'
import { MetaData } from '../metadata/metadata.js'
import { ContainerModules } from './container-modules.js'
import { PlayedRunner, playDeployments } from './runner.fixture.js'

const server = await createApiServer({ name: 'main' })
const transport = inProcessTransport(server)
const client = createClient({ transport })
t.teardown(() => server.close())
await client.create(namespaces, { metadata: { name: 'runners' } })

const writes = ['create', 'update', 'patch', 'delete']
const operations: OperationKind[] = ['install', 'sleep', 'resume', 'uninstall']
const { signal } = new AbortController()

/** A client that fails once: before its n-th write, or after it. */
function failing(n: number, when: 'before' | 'after'): { client: Client; seen: () => number } {
  let seen = 0
  const get = (target: Client, name: string) => {
    const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
    if (!writes.includes(name)) return method.bind(target)
    return async (...args: unknown[]) => {
      seen++
      const isNow = seen === n
      if (isNow && when === 'before') throw new Error('the operator was killed')
      const result = await method.apply(target, args)
      if (isNow) throw new Error('the operator was killed')
      return result
    }
  }
  return { client: new Proxy(client, { get: get as never }), seen: () => seen }
}

function clusterOf(uid: string, own: Client): ModuleCluster {
  const owner = { cluster: 'main', resource: modules, key: { namespace: 'default', name: 'shop' }, uid }
  const served = (apiVersion: string) => discoverKinds(transport, apiVersion)
  const options = { client: own, owner, fieldManager: 'test.modules', clock: systemClock }
  const cluster = clientCluster({ ...options, cluster: { name: 'main', served } })
  const wait: ModuleCluster['wait'] = async (objects, given) => {
    await playDeployments(client)
    await cluster.wait(objects, given)
  }
  return new Proxy(cluster, {
    get: (target, name) => (name === 'wait' ? wait : Reflect.get(target, name).bind(target)),
  })
}

const contextOf = (operationId: string, attempt: number): OperationContext => ({
  signal,
  operationId,
  attempt,
  deadlineMs: 60_000,
  reason: 'first',
  logger: silentLogger,
  until: (condition, options) => until(condition, options, { clock: systemClock, signal }),
})

const kinds = [deployments, secrets, serviceAccounts, services, roles, roleBindings] as const

async function left(uid: string): Promise<number> {
  const labelSelector = `${moduleLabel}=${uid}`
  const lists = await Promise.all(
    kinds.map((kind) => client.listAll(kind as typeof services, { labelSelector })),
  )
  return lists.flatMap(({ items }) => items).length
}

void t.test('a crash at any write of the operations of a container has the same end', async (t) => {
  const runner = new PlayedRunner()
  const url = await runner.listen(t)
  const containers = new ContainerModules({
    allowImages: ['registry.example/web'],
    namespace: 'runners',
    permissions: { workloads: [{ group: 'apps', resource: 'deployments', verbs: ['get'] }] },
    address: () => url,
  })
  const spec = { image: 'registry.example/web', permissions: ['workloads'] }
  const run = async (n: number, when: 'before' | 'after') => {
    const uid = `uid-${n}-${when}`
    const { client: own, seen } = failing(n, when)
    const module = { name: 'shop', namespace: 'default', uid, workspace: 'default/dev' }
    const metaData = new MetaData({ maxBytes: 65_536, store: async () => {} })
    const first = runner.calls.length
    for (const operation of operations)
      for (let attempt = 1, isDone = false; !isDone; attempt++) {
        const session = containers.open({ module, spec, config: {}, cluster: clusterOf(uid, own) })
        const call = session.call(operation, contextOf(`${uid}-${operation}`, attempt), metaData)
        isDone = await call.then(
          () => true,
          (error: Error) => {
            if (!error.message.includes('was killed') || attempt > 2) throw error
            return false
          },
        )
        if (operation === 'sleep' && isDone) {
          const { spec: deployment } = await client.get(deployments, {
            namespace: 'runners',
            name: `module-runner-${uid}`,
          })
          t.equal(deployment?.replicas, 0)
        }
      }
    const calls = runner.calls.slice(first)
    const tokens = new Set(calls.map(({ headers }) => headers.authorization))
    // After a crash of the uninstallation its Secret may be gone, and another container is asked again.
    t.ok(tokens.size === 1 || calls.filter(({ path }) => path === '/uninstall').length === 2)
    t.equal(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size, operations.length)
    t.strictSame([...new Set(calls.map(({ path }) => path.slice(1)))], operations)
    t.equal(await left(uid), 0, `nothing is left after a crash ${when} write ${n}`)
    return seen()
  }
  const count = await run(0, 'before')
  for (let n = 1; n <= count; n++) for (const when of ['before', 'after'] as const) await run(n, when)
  t.ok(count > 20, `${count} writes`)
})
