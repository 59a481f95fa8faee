// The leader of an operator in Pods is killed, cut off and drained while objects are created and changed: no object is
// lost or made twice, and no write of a leader comes after one of the next.
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { until } from '../../until.js'
import { cache, leader, namespace, ready } from '../caches-operator.js'
import { type Change, changesSince, revisionOf } from '../changes-since.js'
import { killContainer } from '../kill-container.js'
import type { Loose, RealNode } from '../real-node.js'

const load = 'load'
const configMaps = `/api/v1/namespaces/${load}/configmaps`
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`

/** How long a packet of a leader that was cut off may be repeated after its connection is restored, in milliseconds. */
const repeatedMs = 20_000

/** The time between two rounds of writes, in milliseconds. */
const pauseMs = 300

/** Each way in which a leader ends. */
export async function leaderChanges(t: Test, node: RealNode): Promise<void> {
  await node.kubectl('create', 'namespace', load)
  const writes = new Writes(node, await revisionOf(node, configMaps))

  await t.test('killed: its container starts again, or the other replica takes over', async (t) => {
    await changes(t, node, writes, ({ pod }) => killContainer(pod))
    await ready(node)
  })

  await t.test('drained: it hands over at once, and no write is refused', async (t) => {
    const evict = async ({ pod }: Leader) => {
      const { name } = pod.metadata
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
      await node.run('kubectl', ['create', '--raw', path, '-f', '-'], JSON.stringify(eviction))
    }
    const revision = await revisionOf(node, leases)
    const { failures, seconds } = await changes(t, node, writes, evict)
    t.strictSame(failures, [])
    t.ok(seconds < 15, 'a Lease that is not handed over expires only after 15 s')
    const holders = (await changesSince(node, leases, { revision })).map(
      ({ object }) => object.spec.holderIdentity,
    )
    t.ok(holders.includes(''), 'the Lease was handed over, instead of waiting for its end')
    await ready(node)
  })

  await t.test('cut off from the API server, with writes on the way', async (t) => {
    await changes(t, node, writes, ({ pod }) => cut(node, pod.status.podIP))
    await node.run('nft', ['delete', 'table', 'ip', 'cut'])
    await setTimeout(repeatedMs)
    t.strictSame(await writes.mistakes(), [])
    await ready(node)
  })
}

type Leader = Awaited<ReturnType<typeof leader>>

/** Ends a leader while objects are created and changed, and checks everything when another leads. */
async function changes(t: Test, node: RealNode, writes: Writes, end: (leader: Leader) => Promise<void>) {
  await writes.grow()
  const before = await leader(node)
  const beganMs = performance.now()
  let isOver = false
  const growing = (async () => {
    for (; !isOver; await setTimeout(pauseMs)) await writes.grow()
  })()
  await end(before)
  await until(async () => ![before.identity, ''].includes((await leader(node)).identity))
  const seconds = (performance.now() - beganMs) / 1000
  t.comment(`another process leads after ${Math.round(seconds)} s`)
  isOver = true
  await growing
  const failures = writes.failures.splice(0)
  t.comment(`${failures.length} writes were refused meanwhile`)
  // Until its addresses are known to be gone, calls of webhooks still reach a Pod that has ended.
  await until(async () => (await writes.grow()) === 0)
  await until(() => writes.areDone())
  t.strictSame(await writes.mistakes(), [])
  writes.failures.length = 0
  return { failures, seconds }
}

/** Drops packets of a Pod to the API server. Those of the API server still arrive, so the leader goes on writing. */
async function cut(node: RealNode, address: string): Promise<void> {
  const server = new URL(
    (await node.kubectl('config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}')).trim(),
  )
  const rules = [
    'table ip cut {',
    '  chain input {',
    '    type filter hook input priority -300; policy accept;',
    `    ip saddr ${address} tcp dport ${server.port} drop`,
    '  }',
    '}',
  ]
  await node.run('nft', ['-f', '-'], rules.join('\n'))
}

/** Objects that grow, and all that the operator wrote for them. */
class Writes {
  readonly failures: string[] = []
  readonly #node: RealNode
  /** The revision up to which the writes are known. */
  #since: string
  readonly #written: Change[] = []
  readonly #sizes = new Map<string, number>()
  #size = 0

  constructor(node: RealNode, since: string) {
    this.#node = node
    this.#since = since
  }

  /** Creates an object and changes the others. Returns how many calls failed. */
  async grow(): Promise<number> {
    const size = ++this.#size
    const before = this.failures.length
    const names = [...this.#sizes.keys()].slice(-4)
    for (const name of [...names, `cache-${size}`])
      await this.#node.apply(cache('v1', { size }, name, load)).then(
        () => this.#sizes.set(name, size),
        (error: unknown) => this.failures.push(String(error)),
      )
    return this.failures.length - before
  }

  /** Whether there is one ConfigMap for each object, as large as it. */
  async areDone(): Promise<boolean> {
    const sizes = (items: readonly Loose[], of: (item: Loose) => unknown) =>
      JSON.stringify(items.map((item) => [item.metadata.name, String(of(item))]).sort())
    const found = (await this.#node.get('-n', load, 'configmaps')).items.filter(isWritten)
    const asked = (await this.#node.get('-n', load, 'caches')).items
    return (
      asked.length >= this.#sizes.size &&
      sizes(found, ({ data }) => data.size) === sizes(asked, ({ spec }) => spec.size)
    )
  }

  /** The mistakes of the operator, by all its writes in their order. */
  async mistakes(): Promise<string[]> {
    await this.#readWrites()
    const events = this.#written
    const created = events.filter(({ type }) => type === 'ADDED').map(({ object }) => object.metadata.name)
    const twice = created.filter((name, at) => created.indexOf(name) !== at)
    const writers: string[] = events.map(({ object }) => object.data.writer)
    const turns = writers.filter((writer, at) => writer !== writers[at - 1])
    const late = turns.filter((writer, at) => turns.indexOf(writer) !== at)
    const last = new Map(events.map(({ object }) => [object.metadata.name, Number(object.data.size)]))
    const unseen = [...this.#sizes].filter(
      ([name, size]) => !created.includes(name) || last.get(name) !== size,
    )
    return [
      ...unseen.map(([name]) => `not seen to be written: ${name}`),
      ...events
        .filter(({ type }) => type === 'DELETED')
        .map(({ object }) => `deleted ${object.metadata.name}`),
      ...twice.map((name) => `created twice: ${name}`),
      ...late.map((writer) => `wrote after the next leader: ${writer}`),
    ]
  }

  /** Reads on from the last revision, before the API server forgets it. */
  async #readWrites(): Promise<void> {
    for (const event of await changesSince(this.#node, configMaps, { revision: this.#since })) {
      this.#since = event.object.metadata.resourceVersion
      if (isWritten(event.object)) this.#written.push(event)
    }
  }
}

/** Whether the operator wrote a ConfigMap; each namespace has one of Kubernetes itself. */
const isWritten = ({ data }: Loose): boolean => data?.writer !== undefined
