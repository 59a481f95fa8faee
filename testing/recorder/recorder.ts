/**
 * The transports between a scenario's clusters, its users and its plugin. The recorder counts calls, records writes, and
 * injects the faults of the run.
 */
import type { Side } from '../../sdk/context/register-context.js'
import { parseJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/transport/transport.js'
import type { ClusterPair } from '../environment/test-environment.js'
import { ConnectionLost, errorResponse } from '../faults/error-response.js'
import type { FaultSchedule } from '../faults/fault-schedule.js'
import type { CrashPhase } from '../faults/injected-fault.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { WatchLag } from '../faults/watch-lag.js'
import { isWrite, objectPath, type RequestTarget, targetOf } from '../requests/request-target.js'
import type { RecordedWrite } from './recorded-write.js'

/** Options of {@link Recorder}. */
export interface RecorderOptions {
  clusters: Pick<ClusterPair, Side>
  faults: FaultSchedule
}

/** The origin and the destination of a request of the plugin. */
interface Sender {
  cluster: Side
  process: SimulatedProcess
  transport: Transport
}

/** Records the requests of one run and injects its faults. */
export class Recorder {
  /** The writes of all processes of the plugin, in order. */
  readonly writes: RecordedWrite[] = []
  /** The collection paths of the kinds that users or the plugin wrote. */
  readonly collections = { virtual: new Set<string>(), host: new Set<string>() }
  /** The lag of each cluster's watches. */
  readonly lags = { virtual: new WatchLag(), host: new WatchLag() }
  readonly faults: FaultSchedule
  readonly #clusters: RecorderOptions['clusters']
  /** Transports without faults, to read the objects that are written. */
  readonly #direct: Readonly<Record<Side, Transport>>
  readonly #pending = new Map<SimulatedProcess, number>()
  #changes = 0
  #calls = 0
  #writesSent = 0

  constructor({ clusters, faults }: RecorderOptions) {
    this.#clusters = clusters
    this.#direct = { virtual: clusters.virtual.connect(), host: clusters.host.connect() }
    this.faults = faults
  }

  /** Whether the watch events of a cluster are currently withheld. */
  get withholdsEvents(): boolean {
    return Object.values(this.lags).some(({ mode }) => mode === 'hold')
  }

  /** The number of writes by users. */
  get changes(): number {
    return this.#changes
  }

  /** The number of calls by the plugin. */
  get calls(): number {
    return this.#calls
  }

  /** The number of unanswered calls of processes that are alive. */
  get pendingCalls(): number {
    let sum = 0
    for (const [process, calls] of this.#pending) if (!process.isKilled) sum += calls
    return sum
  }

  /** A user's transport to a cluster. No faults are injected. */
  userTransport(cluster: Side): Transport {
    const transport = this.#clusters[cluster].connect()
    return {
      request: (request) => {
        if (isWrite(request)) this.#changes++
        this.#noteCollection(cluster, request)
        return transport.request(request)
      },
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
    }
  }

  /** The transport of one process of the plugin to a cluster. */
  pluginTransport(cluster: Side, process: SimulatedProcess): Transport {
    const transport = this.#clusters[cluster].connect()
    process.killed.addEventListener('abort', () => void transport.close(), { once: true })
    return {
      close: () => transport.close(),
      request: (request) =>
        this.#counted(process, () => this.#send(request, { cluster, process, transport })),
      stream: async (request) => {
        await process.whileAlive(undefined)
        const stream = await transport.stream(request)
        return { ...stream, chunks: process.chunksWhileAlive(this.lags[cluster].pass(stream.chunks)) }
      },
    }
  }

  /** Reads a path without faults; `undefined` if nothing is there. */
  async read(cluster: Side, path: string): Promise<unknown> {
    const { status, body } = await this.#direct[cluster].request({ method: 'GET', path })
    return status === 200 ? parseJson(body) : undefined
  }

  /** Every object of a collection, read without faults. */
  async list(cluster: Side, collection: string): Promise<KubeObject[]> {
    const list = (await this.read(cluster, collection)) as { items?: KubeObject[] } | undefined
    return list?.items ?? []
  }

  async #counted(
    process: SimulatedProcess,
    send: () => Promise<TransportResponse>,
  ): Promise<TransportResponse> {
    // As over a socket, a plugin that writes in a loop must not keep other work from running.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await process.whileAlive(undefined)
    const calls = this.#pending.get(process) ?? 0
    this.#pending.set(process, calls + 1)
    try {
      return await process.whileAlive(await send())
    } finally {
      this.#pending.set(process, (this.#pending.get(process) ?? 1) - 1)
    }
  }

  async #send(request: TransportRequest, sender: Sender): Promise<TransportResponse> {
    this.#calls++
    const call = this.#calls
    const fault = this.faults.take((one) => one.type === 'refuse' && one.call === call)
    if (fault?.type === 'refuse') return errorResponse(fault.code)
    this.#noteCollection(sender.cluster, request)
    return isWrite(request) ? this.#write(call, request, sender) : sender.transport.request(request)
  }

  async #write(call: number, request: TransportRequest, sender: Sender): Promise<TransportResponse> {
    this.#writesSent++
    const n = this.#writesSent
    if (this.#crashes(n, 'before')) return killed(sender.process)
    const response = await this.#sendRecorded({ n, call }, request, sender)
    if (this.#crashes(n, 'unanswered')) return killed(sender.process)
    if (this.faults.take((one) => one.type === 'drop' && one.write === n)) throw new ConnectionLost()
    if (this.#crashes(n, 'after')) setImmediate(() => sender.process.kill())
    return response
  }

  /** Sends a write and records it. */
  async #sendRecorded(
    numbers: Pick<RecordedWrite, 'n' | 'call'>,
    request: TransportRequest,
    { cluster, transport }: Sender,
  ): Promise<TransportResponse> {
    const target = targetOf(request.path)
    const before = target && (await this.#objectAt(cluster, target))
    const response = await transport.request(request)
    if (target)
      this.writes.push({
        ...numbers,
        cluster,
        method: request.method,
        target: namedTarget(target, response),
        status: response.status,
        before,
        preconditionUid: preconditionUidOf(request),
      })
    return response
  }

  #crashes(n: number, when: CrashPhase): boolean {
    return (
      this.faults.take((one) => one.type === 'crash' && one.write === n && one.when === when) !== undefined
    )
  }

  #noteCollection(cluster: Side, request: TransportRequest): void {
    const target = isWrite(request) ? targetOf(request.path) : undefined
    if (target) this.collections[cluster].add(target.collection)
  }

  async #objectAt(cluster: Side, target: RequestTarget): Promise<KubeObject | undefined> {
    if (target.name === '') return undefined
    return (await this.read(cluster, objectPath(target))) as KubeObject | undefined
  }
}

function killed(process: SimulatedProcess): Promise<never> {
  process.kill()
  return new Promise(() => {})
}

/** The target with the name that the server gave to a created object. */
function namedTarget(target: RequestTarget, { status, body }: TransportResponse): RequestTarget {
  if (target.name !== '') return target
  const created = status < 300 ? (parseJson(body) as KubeObject) : undefined
  return { ...target, name: created?.metadata?.name ?? '' }
}

function preconditionUidOf({ method, body }: TransportRequest): string | undefined {
  if (method !== 'DELETE' || body === undefined) return undefined
  const options = parseJson(body) as { preconditions?: { uid?: string } }
  return options.preconditions?.uid
}
