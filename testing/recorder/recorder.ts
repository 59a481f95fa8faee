/**
 * Everything that travels between a scenario's plugin and its clusters passes here: it is counted, noted, refused,
 * held back, or is the last thing a life of the plugin did.
 */
import type { Side } from '../../sdk/context/register-context.js'
import { parseJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/transport/transport.js'
import type { Site } from '../environment/test-environment.js'
import { refusal } from '../faults/error-response.js'
import type { CrashPhase, Disturbance } from '../faults/injected-fault.js'
import type { Life } from '../faults/simulated-process.js'
import { WatchLag } from '../faults/watch-lag.js'
import {
  type CallTarget,
  isWrite,
  namedTarget,
  objectPath,
  targetOf,
  type Write,
} from '../requests/request-target.js'

/** What {@link Wire} connects. */
export interface WireParts {
  clusters: Site['clusters']
  disturbances: readonly Disturbance[]
}

interface Sending {
  cluster: Side
  life: Life
  transport: Transport
}

/** The wire between the clusters, their users and the plugin. */
export class Wire {
  /** What the plugin wrote, in all its lives. */
  readonly writes: Write[] = []
  /** The kinds that users or the plugin wrote, as paths of all their objects. */
  readonly collections = { virtual: new Set<string>(), host: new Set<string>() }
  /** How late each cluster's watches are. */
  readonly lags = { virtual: new WatchLag(), host: new WatchLag() }
  /** The disturbances that have found their place. */
  readonly struck = new Set<Disturbance>()
  readonly #clusters: Site['clusters']
  /** Ways of our own, to look at what a write is about. */
  readonly #looking: Readonly<Record<Side, Transport>>
  readonly #disturbances: readonly Disturbance[]
  readonly #underWay = new Map<Life, number>()
  #changes = 0
  #calls = 0
  #writesSent = 0

  constructor({ clusters, disturbances }: WireParts) {
    this.#clusters = clusters
    this.#looking = { virtual: clusters.virtual.connect(), host: clusters.host.connect() }
    this.#disturbances = disturbances
  }

  /** Whether anything is to go wrong. */
  get isDisturbed(): boolean {
    return this.#disturbances.length > 0
  }

  /** Whether every disturbance has found its place. */
  get isSpent(): boolean {
    return this.struck.size === this.#disturbances.length
  }

  /** Whether the watches of a cluster tell nothing at the moment. */
  get isHeldBack(): boolean {
    return Object.values(this.lags).some(({ mode }) => mode === 'hold')
  }

  /** How many changes users have made. */
  get changes(): number {
    return this.#changes
  }

  /** How many calls the plugin has made. */
  get calls(): number {
    return this.#calls
  }

  /** How many calls of the living wait for their answers. */
  get underWay(): number {
    let sum = 0
    for (const [life, calls] of this.#underWay) if (!life.isOver) sum += calls
    return sum
  }

  /** A user's way to a cluster: what it writes is only noted. */
  ofUsers(cluster: Side): Transport {
    const transport = this.#clusters[cluster].connect()
    return {
      request: (request) => {
        if (isWrite(request)) this.#changes++
        this.#note(cluster, request)
        return transport.request(request)
      },
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
    }
  }

  /** The way of one life of the plugin to a cluster. */
  ofPlugin(cluster: Side, life: Life): Transport {
    const transport = this.#clusters[cluster].connect()
    life.death.addEventListener('abort', () => void transport.close(), { once: true })
    return {
      close: () => transport.close(),
      request: (request) => this.#counted(life, () => this.#send(request, { cluster, life, transport })),
      stream: async (request) => {
        await life.living(undefined)
        const stream = await transport.stream(request)
        return { ...stream, chunks: living(this.lags[cluster].pass(stream.chunks), life) }
      },
    }
  }

  /** The disturbance that is due, at most once. */
  strike(isDue: (disturbance: Disturbance) => boolean): Disturbance | undefined {
    const due = this.#disturbances.find((one) => !this.struck.has(one) && isDue(one))
    if (due) this.struck.add(due)
    return due
  }

  async #counted(life: Life, send: () => Promise<TransportResponse>): Promise<TransportResponse> {
    // As over a socket: whoever writes without end must not keep everybody else from their turn.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await life.living(undefined)
    const calls = this.#underWay.get(life) ?? 0
    this.#underWay.set(life, calls + 1)
    try {
      return await life.living(await send())
    } finally {
      this.#underWay.set(life, (this.#underWay.get(life) ?? 1) - 1)
    }
  }

  async #send(request: TransportRequest, sending: Sending): Promise<TransportResponse> {
    this.#calls++
    const call = this.#calls
    const refused = this.strike((one) => one.type === 'refuse' && one.call === call)
    if (refused?.type === 'refuse') return refusal(refused.code)
    this.#note(sending.cluster, request)
    return isWrite(request) ? this.#write(call, request, sending) : sending.transport.request(request)
  }

  async #write(call: number, request: TransportRequest, sending: Sending): Promise<TransportResponse> {
    this.#writesSent++
    const n = this.#writesSent
    if (this.#crashes(n, 'before')) return die(sending.life)
    const response = await this.#done({ n, call }, request, sending)
    if (this.#crashes(n, 'unanswered')) return die(sending.life)
    if (this.strike((one) => one.type === 'drop' && one.write === n)) throw new ConnectionLost()
    if (this.#crashes(n, 'after')) setImmediate(() => sending.life.end())
    return response
  }

  /** Does a write and notes it. */
  async #done(
    numbers: Pick<Write, 'n' | 'call'>,
    request: TransportRequest,
    { cluster, transport }: Sending,
  ): Promise<TransportResponse> {
    const target = targetOf(request.path)
    const before = target && (await this.#objectAt(cluster, target))
    const response = await transport.request(request)
    if (target) {
      const { method } = request
      const { status } = response
      const answer = status < 300 ? (parseJson(response.body) as KubeObject) : undefined
      const preconditionUid = preconditionOf(request)
      this.writes.push({
        ...numbers,
        cluster,
        method,
        target: namedTarget(target, answer),
        status,
        before,
        preconditionUid,
      })
    }
    return response
  }

  #crashes(n: number, when: CrashPhase): boolean {
    return this.strike((one) => one.type === 'crash' && one.write === n && one.when === when) !== undefined
  }

  #note(cluster: Side, request: TransportRequest): void {
    const target = isWrite(request) ? targetOf(request.path) : undefined
    if (target) this.collections[cluster].add(target.collection)
  }

  async #objectAt(cluster: Side, target: CallTarget): Promise<KubeObject | undefined> {
    if (target.name === '') return undefined
    return (await this.read(cluster, objectPath(target))) as KubeObject | undefined
  }

  /** What a cluster has at a path, past everything that goes wrong; `undefined` where it has nothing. */
  async read(cluster: Side, path: string): Promise<unknown> {
    const { status, body } = await this.#looking[cluster].request({ method: 'GET', path })
    return status === 200 ? parseJson(body) : undefined
  }

  /** Every object of a collection. */
  async list(cluster: Side, collection: string): Promise<KubeObject[]> {
    const list = (await this.read(cluster, collection)) as { items?: KubeObject[] } | undefined
    return list?.items ?? []
  }
}

/** What Node throws when a connection breaks. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'ECONNRESET'

  constructor() {
    super('read ECONNRESET: the connection broke before the answer')
  }
}

function die(life: Life): Promise<never> {
  life.end()
  return new Promise(() => {})
}

async function* living(chunks: AsyncIterable<Uint8Array>, life: Life): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield await life.living(chunk)
}

function preconditionOf({ method, body }: TransportRequest): string | undefined {
  if (method !== 'DELETE' || body === undefined) return undefined
  const options = parseJson(body) as { preconditions?: { uid?: string } }
  return options.preconditions?.uid
}
