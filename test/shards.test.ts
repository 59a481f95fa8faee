// Tests two replicas of the example that share three shards in virtual time. One is killed, or cut off from
// its Leases, at every write.
import t from 'tap'
import { register } from '../examples/sync-all-configmaps/register.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, namespaces } from '../sdk/engine/kube/builtin.js'
import { shardLeadership } from '../sdk/engine/leader/shard-leadership.js'
import { shardOf } from '../sdk/engine/leader/shard-of.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import type { Transport, TransportRequest } from '../sdk/engine/transport/transport.js'
import { createPluginRuntime } from '../sdk/vcluster/plugin/plugin-runtime.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { testSession } from '../simulator/test-session.js'
import { VirtualClock } from '../testing/clock/virtual-clock.js'
import { embeddedClusters } from '../testing/environment/embedded-clusters.js'
import type { TestCluster } from '../testing/environment/test-environment.js'
import { SimulatedProcess } from '../testing/faults/simulated-process.js'
import { isWrite, targetOf } from '../testing/requests/request-target.js'

const stem = { namespace: 'vcluster-vc', name: 'vc-mirror' }
const shards = 3
const tenants = ['a', 'b', 'c', 'd']
/** The time in which a replica may write after it started to renew a Lease, in milliseconds. */
const renewDeadlineMs = 10_000

/**
 * A fault for the replica that sends the n-th write: it is killed before or after it, or its Lease requests fail from
 * then on.
 */
interface Fault {
  readonly write: number
  readonly kind: 'dies before' | 'dies after' | 'is cut off'
}

interface Replica {
  readonly name: string
  readonly process: SimulatedProcess
  /** The start of the last completed renewal of each Lease. */
  readonly renewedMs: Map<string, number>
  isCutOff: boolean
}

/** Two replicas between two embedded clusters, in virtual time. */
class TwoReplicas {
  readonly clock = new VirtualClock()
  readonly creates: string[] = []
  readonly problems: string[] = []
  readonly writers = new Set<string>()
  writes = 0
  readonly #fault: Fault | undefined

  constructor(fault?: Fault) {
    this.#fault = fault
  }

  /** Runs all steps and returns the copies on the host. */
  async run(): Promise<Record<string, unknown>> {
    const clusters = await embeddedClusters.open(this.clock)
    const virtual = createClient({ transport: clusters.virtual.connect() })
    const host = createClient({ transport: clusters.host.connect() })
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        for (let ticks = 0; ticks < 12; ticks++) await clusters.tick()
        await this.clock.advance(500)
      }
    }
    await prepareHost(host, { vclusterName: 'vc', targetNamespace: stem.namespace, hasService: true })
    for (const name of tenants) await virtual.create(namespaces, { metadata: { name } })
    const replicas = ['one', 'two'].map((name) => this.#start(name, clusters))
    await pass(8000)
    for (const namespace of tenants)
      await virtual.create(configMaps, { metadata: { namespace, name: 'x' }, data: { text: 'first' } })
    await pass(1000)
    for (const namespace of tenants.slice(1))
      await virtual.patch(
        configMaps,
        { namespace, name: 'x' },
        { type: 'merge', body: { data: { text: 'second' } } },
      )
    await pass(22_000)
    for (const namespace of tenants.slice(0, 1)) await virtual.delete(configMaps, { namespace, name: 'x' })
    await pass(22_000)
    const { items } = await host.listAll(configMaps, { namespace: stem.namespace })
    for (const { process } of replicas) process.kill()
    await clusters.close()
    return Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, data?.text]))
  }

  #start(name: string, clusters: Record<'virtual' | 'host', TestCluster>): Replica {
    const process = new SimulatedProcess(this.clock)
    const replica: Replica = { name, process, renewedMs: new Map(), isCutOff: false }
    const virtual = this.#transport(clusters.virtual.connect(), replica)
    const host = this.#transport(clusters.host.connect(), replica)
    const session = testSession({ vclusterName: 'vc', targetNamespace: stem.namespace, virtual, host })
    const client = createClient({ transport: host })
    const applying = {
      client,
      lease: stem,
      count: shards,
      identity: name,
      clock: process.clock,
      random: () => 0.5,
    }
    const openSession = async () => ({
      ...session,
      isWarm: true,
      isShared: true,
      lead: () => shardLeadership(applying),
    })
    const plugin = createPluginRuntime({
      env: {},
      logger: silentLogger,
      clock: process.clock,
      openSession,
      containsRejections: false,
    })
    void plugin.init({ missingPermissions: 'ignore' }).then((ctx) => {
      register(plugin, ctx, { excludeRootCa: true })
      // A replica that lost its Leases exits and is not restarted.
      plugin.start().catch(() => process.kill())
    })
    return replica
  }

  #transport(transport: Transport, replica: Replica): Transport {
    const { process } = replica
    return {
      request: async (request) => {
        await process.whileAlive(undefined)
        const plural = targetOf(request.path)?.plural
        const atMs = this.clock.now()
        if (plural === 'leases' && replica.isCutOff) throw new Error('connect ECONNREFUSED')
        const isWork = isWrite(request) && plural === 'configmaps'
        if (isWork) await this.#inject(replica, 'before')
        const response = await transport.request(request)
        if (isWork) this.#recordWrite(replica, request, response.status)
        if (isWork) await this.#inject(replica, 'after')
        if (plural === 'leases' && isWrite(request) && response.status < 300)
          this.#renewed(replica, request, atMs)
        return process.whileAlive(response)
      },
      stream: async (request) => {
        const stream = await transport.stream(await process.whileAlive(request))
        return { ...stream, chunks: process.chunksWhileAlive(stream.chunks) }
      },
      close: () => transport.close(),
    }
  }

  async #inject(replica: Replica, when: 'before' | 'after'): Promise<void> {
    if (when === 'before') this.writes++
    if (this.writes !== this.#fault?.write) return
    if (this.#fault.kind === 'is cut off') replica.isCutOff = true
    else if (this.#fault.kind === `dies ${when}`) replica.process.kill()
    await replica.process.whileAlive(undefined)
  }

  #renewed({ renewedMs }: Replica, { method, path, body }: TransportRequest, atMs: number): void {
    const { name } = targetOf(path) ?? {}
    const lease = method === 'DELETE' ? undefined : JSON.parse(String(body))
    renewedMs.set(name || lease?.metadata.name, lease?.spec.holderIdentity ? atMs : Number.NEGATIVE_INFINITY)
  }

  /** Records a write, and a problem if the replica has not renewed the Lease of the shard in time. */
  #recordWrite({ name, renewedMs }: Replica, { method, path, body }: TransportRequest, status: number): void {
    const copy = targetOf(path)?.name || JSON.parse(String(body)).metadata.name
    const [, namespace = ''] = /-x-(.+)-x-vc$/.exec(copy) ?? []
    const shard = shardOf({ namespace, name: '' }, shards)
    const lease = shard === 0 ? stem.name : `${stem.name}-shard-${shard}`
    const ageMs = this.clock.now() - (renewedMs.get(lease) ?? Number.NEGATIVE_INFINITY)
    if (ageMs >= renewDeadlineMs)
      this.problems.push(`${name} wrote ${copy} ${ageMs} ms after it renewed ${lease}`)
    this.writers.add(name)
    if (method === 'POST' && status === 201) this.creates.push(copy)
  }
}

void t.test(
  'when a replica dies or loses its Leases at any write, the other completes its work',
  async (t) => {
    const undisturbed = new TwoReplicas()
    const end = await undisturbed.run()
    t.same(undisturbed.writers, new Set(['one', 'two']), 'both replicas write')
    t.ok(undisturbed.writes >= 8)
    for (let write = 1; write <= undisturbed.writes; write++) {
      for (const kind of ['dies before', 'dies after', 'is cut off'] as const) {
        const disturbed = new TwoReplicas({ write, kind })
        t.same(await disturbed.run(), end, `write ${write}: ${kind}`)
        t.same(disturbed.creates.sort(), undisturbed.creates.sort(), 'each copy is created as often')
        t.same(disturbed.problems, [], 'no replica writes after its deadline')
      }
    }
  },
)
