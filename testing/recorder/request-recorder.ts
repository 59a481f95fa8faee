/**
 * The transports between a scenario's clusters, its users and its program. The recorder counts calls and records
 * writes; `testing/faults` decides which of them fail.
 */
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/engine/transport/transport.js'
import type { TestCluster } from '../environment/test-environment.js'
import { BrokenConnection } from '../faults/error-response.js'
import { FaultInjector, type UserActions } from '../faults/fault-injector.js'
import type { FaultSchedule } from '../faults/fault-schedule.js'
import type { Handover } from '../faults/handover.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { WatchLags } from '../faults/watch-lags.js'
import { isWrite, type RequestTarget, targetOf, targetPath } from '../requests/request-target.js'
import { PendingCalls } from './pending-calls.js'
import type { RecordedWrite } from './recorded-write.js'
import { RunTimes } from './run-times.js'
import { appliedBody, namedTarget, objectIn, preconditionUidOf } from './written-object.js'

/** Options of {@link RequestRecorder}. */
export interface RecorderOptions<C extends string = string> {
  clusters: Readonly<Record<C, TestCluster>>
  /** The clock of the run. */
  clock: Pick<Clock, 'date'>
  faults: FaultSchedule
  /** The actions of a user before a write is sent; default none. */
  user?: UserActions
  /** Whether replicas elect a leader by a Lease; requests for Leases are then not recorded. */
  hasElection?: boolean
}

const noUser: UserActions = { recreate: async () => false, undo: async () => false, redo: async () => {} }

/** The origin and the destination of a request of the program. */
interface Sender {
  cluster: string
  process: SimulatedProcess
  transport: Transport
}

/** The numbers of one write. */
interface Numbers {
  n: number
  call: number
  wasHeld: boolean
}

/** Records the requests of one run, at which the run's faults are injected. */
export class RequestRecorder<C extends string = string> {
  /** The writes of all processes of the program, in order. */
  readonly writes: RecordedWrite[] = []
  /** The collection paths of the kinds that users or the program wrote, by cluster. */
  readonly collections: Readonly<Record<C, Set<string>>>
  /** The lags of the watches. */
  readonly lags: WatchLags
  readonly faults: FaultSchedule
  readonly handover: Handover
  /** The times that differ between runs. */
  readonly times: RunTimes
  readonly #injector: FaultInjector
  readonly #clusters: RecorderOptions<C>['clusters']
  readonly #hasElection: boolean
  /** Transports without faults, to read the objects that are written. */
  readonly #direct: Readonly<Record<string, Transport>>
  readonly #pending = new PendingCalls()
  #changes = 0
  #calls = 0
  #writesSent = 0

  constructor({ clusters, clock, faults, user = noUser, hasElection = false }: RecorderOptions<C>) {
    const names = Object.keys(clusters) as C[]
    this.#clusters = clusters
    this.times = new RunTimes(clock)
    this.#direct = Object.fromEntries(names.map((name) => [name, clusters[name].connect()]))
    const collections = names.map((name) => [name, new Set<string>()] as const)
    this.collections = Object.fromEntries(collections) as Record<C, Set<string>>
    this.lags = new WatchLags(names)
    this.faults = faults
    this.#injector = new FaultInjector({ faults, lags: this.lags, user })
    this.handover = this.#injector.handover
    this.#hasElection = hasElection
  }

  /** The number of writes by users. */
  get changes(): number {
    return this.#changes
  }

  /** The number of calls by the program. */
  get calls(): number {
    return this.#calls
  }

  /** The number of unanswered calls of processes that are alive. */
  get pendingCalls(): number {
    return this.#pending.count
  }

  /** A user's transport to a cluster. No faults are injected. */
  userTransport(cluster: C): Transport {
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

  /** The transport of one process of the program to a cluster. */
  programTransport(cluster: C, process: SimulatedProcess): Transport {
    const transport = this.#clusters[cluster].connect()
    process.killed.addEventListener('abort', () => void transport.close(), { once: true })
    return {
      close: () => transport.close(),
      request: (request) =>
        this.#pending.track(process, () => this.#send(request, { cluster, process, transport })),
      stream: async (request) => {
        await process.whileAlive(undefined)
        const stream = await transport.stream(request)
        const plural = targetOf(request.path)?.plural ?? ''
        const chunks = this.lags.pass(cluster, plural, stream.chunks)
        return { ...stream, chunks: process.chunksWhileAlive(chunks) }
      },
    }
  }

  /**
   * Runs work outside Kubernetes as a write of the program. The work is numbered and recorded, and a process can crash
   * at it. `created` names the created resource.
   */
  outsideWrite<R>(
    write: Pick<RecordedWrite, 'cluster' | 'method' | 'target'>,
    process: SimulatedProcess,
    work: () => Promise<R>,
  ): Promise<R> {
    return this.#pending.track(process, async () => {
      const n = this.#nextWrite()
      return this.#injector.send(n, process, async () => {
        this.#injector.handOverRunning(n, process)
        const result = await work()
        const numbers = { n, call: this.#calls, wasHeld: false }
        const noObject = {
          before: undefined,
          after: undefined,
          applied: undefined,
          preconditionUid: undefined,
        }
        this.writes.push({ ...numbers, ...write, ...noObject, status: 200, process })
        return result
      })
    })
  }

  /** Reads a path without faults; `undefined` if nothing is there. */
  async read(cluster: string, path: string): Promise<unknown> {
    const answer = await this.#direct[cluster]?.request({ method: 'GET', path })
    return answer?.status === 200 ? parseJson(answer.body) : undefined
  }

  /** Every object of a collection, read without faults. */
  async list(cluster: string, collection: string): Promise<KubeObject[]> {
    const list = (await this.read(cluster, collection)) as { items?: KubeObject[] } | undefined
    return list?.items ?? []
  }

  async #send(request: TransportRequest, sender: Sender): Promise<TransportResponse> {
    // Numbers are the same with and without an election.
    if (this.#hasElection && targetOf(request.path)?.plural === 'leases')
      return this.#sendLease(request, sender)
    this.#calls++
    const call = this.#calls
    const refusal = this.#injector.refusalOf(call)
    if (refusal) return refusal
    this.#noteCollection(sender.cluster as C, request)
    return isWrite(request) ? this.#write(call, request, sender) : sender.transport.request(request)
  }

  async #sendLease(request: TransportRequest, { process, transport }: Sender): Promise<TransportResponse> {
    if (this.handover.isCutOff(process)) throw new BrokenConnection()
    return transport.request(request)
  }

  async #write(call: number, request: TransportRequest, sender: Sender): Promise<TransportResponse> {
    const n = this.#nextWrite()
    await this.#injector.actBefore(n)
    return this.#injector.send(n, sender.process, async () => {
      const wasHeld = await this.#injector.handOver(n, sender.process)
      // A held write is on the network already, so the end of its process does not stop it.
      const transport = wasHeld ? this.#direct[sender.cluster] : undefined
      const { signal, ...rest } = request
      const sent = wasHeld ? rest : { ...rest, ...(signal && { signal }) }
      return this.#sendRecorded({ n, call, wasHeld }, sent, { ...sender, ...(transport && { transport }) })
    })
  }

  /** Sends a write and records it. */
  async #sendRecorded(
    numbers: Numbers,
    request: TransportRequest,
    { cluster, process, transport }: Sender,
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
        after: objectIn(response),
        applied: appliedBody(request),
        preconditionUid: preconditionUidOf(request),
        process,
      })
    return response
  }

  #nextWrite(): number {
    this.#writesSent++
    return this.#writesSent
  }

  #noteCollection(cluster: C, request: TransportRequest): void {
    const target = isWrite(request) ? targetOf(request.path) : undefined
    if (target) this.collections[cluster].add(target.collection)
  }

  async #objectAt(cluster: string, target: RequestTarget): Promise<KubeObject | undefined> {
    if (target.name === '') return undefined
    return (await this.read(cluster, targetPath(target))) as KubeObject | undefined
  }
}
