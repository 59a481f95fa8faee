import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, peakMiB, residentMiB } from '../../cli/bench/process-usage.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { crdOf } from '../../sdk/operator/index.js'
import { type RealCluster, startRealCluster } from '../../test/real/real-cluster.js'
import { countsSince, requestCounts, writesOf } from '../../test/real/request-counts.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { Observer } from './observer.js'
import { backups } from './program/backups.js'

/** The cost of one run of one program. */
export interface Figures {
  /** From the start of the process until each object has its Deployment and its status. */
  readonly coldSeconds: number
  readonly coldCpuSeconds: number
  readonly coldWritesPerObject: number
  readonly changeP50Ms: number
  /** From the answer to a change until the status says that it was handled. */
  readonly changeP99Ms: number
  readonly writesPerChange: number
  readonly cpuMsPerChange: number
  readonly restMiB: number
  readonly peakMiB: number
  /** Writes of a second start, when nothing has changed. */
  readonly restartWrites: number
}

/** The number of objects, and the changes that follow. */
export interface Load {
  readonly objects: number
  readonly changesPerSecond: number
  readonly changeSeconds: number
}

const path = '/apis/bench.my.domain/v1/backups'
const keyOf = (index: number) => ({ namespace: 'default', name: `backup-${index}` })

/** Measures a program in a cluster of its own, without a kube-controller-manager. */
export async function measure(command: readonly string[], load: Load): Promise<Figures> {
  const cluster = await startRealCluster({ durable: true })
  try {
    const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
    const observer = new Observer(transport, path)
    const client = createClient({ transport })
    await serveDefinitions(client, [crdOf(backups)])
    await createAll(client, load.objects)
    const run = new Run({ command, cluster, transport, client, observer, load })
    try {
      return await run.figures()
    } finally {
      await run.end()
      observer.stop()
      await transport.close()
    }
  } finally {
    await cluster.stop()
  }
}

interface RunOptions {
  readonly command: readonly string[]
  readonly cluster: RealCluster
  readonly transport: Transport
  readonly client: Client
  readonly observer: Observer
  readonly load: Load
}

/** A program between its starts. */
class Run {
  readonly #options: RunOptions
  #program: ChildProcess | undefined
  #log: string[] = []

  constructor(options: RunOptions) {
    this.#options = options
  }

  async figures(): Promise<Figures> {
    const cold = await this.#cold()
    const changes = await this.#changes()
    await sleep(5_000)
    const memory = { restMiB: residentMiB(this.#pid), peakMiB: peakMiB(this.#pid) }
    await this.end()
    const before = await this.#counts()
    this.#start()
    await sleep(10_000)
    return { ...cold, ...changes, ...memory, restartWrites: await this.#writesSince(before) }
  }

  async #cold() {
    const { observer, load } = this.#options
    observer.start()
    const before = await this.#counts()
    const startedMs = performance.now()
    this.#start()
    const endedMs = await Promise.race([observer.whenHandled(load.objects), this.#failed()])
    const coldCpuSeconds = cpuMs(this.#pid) / 1000
    await sleep(3_000)
    const coldWritesPerObject = (await this.#writesSince(before)) / load.objects
    return { coldSeconds: (endedMs - startedMs) / 1000, coldCpuSeconds, coldWritesPerObject }
  }

  /** Changes objects at random at a steady rate, however long the answers take. */
  async #changes() {
    const { load } = this.#options
    const [before, cpuBefore] = [await this.#counts(), cpuMs(this.#pid)]
    const changes: Promise<number>[] = []
    for (let count = 0; count < load.changesPerSecond * load.changeSeconds; count++) {
      changes.push(this.#change(count))
      await sleep(1000 / load.changesPerSecond)
    }
    const latencies = (await Promise.all(changes)).sort((a, b) => a - b)
    await sleep(2_000)
    const writes = (await this.#writesSince(before)) - latencies.length
    const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0
    return {
      changeP50Ms: at(0.5),
      changeP99Ms: at(0.99),
      writesPerChange: writes / latencies.length,
      cpuMsPerChange: (cpuMs(this.#pid) - cpuBefore) / latencies.length,
    }
  }

  /** Each object in turn, so that no two changes of one object overlap. */
  async #change(count: number): Promise<number> {
    const { client, observer, load } = this.#options
    const key = keyOf((count * 7919) % load.objects)
    const body = { spec: { size: 2 + Math.floor(count / load.objects) } }
    const { metadata } = await client.patch(backups, key, { type: 'merge', body })
    const answeredMs = performance.now()
    const handledMs = await observer.whenGeneration(key.name, metadata.generation ?? 0)
    return Math.max(0, handledMs - answeredMs)
  }

  #start(): void {
    const [program = '', ...args] = this.#options.command
    const env = { ...process.env, KUBECONFIG: this.#options.cluster.kubeconfigFile, METRICS_ADDRESS: '0' }
    this.#program = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    this.#log = []
    this.#program.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text))
  }

  /** The end of what the program says, for the error if it ends by itself. */
  #keep(text: string): void {
    this.#log = [...this.#log, text].slice(-5)
  }

  /** Rejects when the program ends by itself. */
  async #failed(): Promise<never> {
    if (this.#program) await once(this.#program, 'exit')
    throw new Error(`${this.#options.command.join(' ')} ended by itself: ${this.#log.join('')}`)
  }

  get #pid(): number {
    return this.#program?.pid ?? 0
  }

  async end(): Promise<void> {
    const program = this.#program
    this.#program = undefined
    if (!program || program.exitCode !== null) return
    program.kill('SIGTERM')
    await once(program, 'exit')
  }

  #counts(): Promise<Map<string, number>> {
    return requestCounts(this.#options.transport)
  }

  async #writesSince(before: Map<string, number>): Promise<number> {
    const counts = countsSince(before, await this.#counts())
    const writes = { ...writesOf('backups', counts), ...writesOf('deployments', counts) }
    return Object.values(writes).reduce((sum, count) => sum + count, 0)
  }
}

async function createAll(client: Client, count: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await client.create(backups, { metadata: keyOf(next++), spec: { size: 1 } })
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}
