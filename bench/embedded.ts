import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import { cpuMs, peakMiB } from '../cli/bench/process-usage.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { type ConfigMap, configMaps, namespaces } from '../sdk/engine/kube/builtin.js'
import { watchResource } from '../sdk/engine/watch/watch-resource.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { median, short } from './figures.js'
import { type StartUp, startUp } from './start-up.js'

const target = 'vcluster-bench'
const payloadText = 'x'.repeat(1024)

/** The figures of one cold start of a program. */
export interface EmbeddedRun {
  /** From the start of the process to the last copy. */
  readonly ms: number
  readonly cpuMs: number
  readonly peakMiB: number
}

/** Two embedded clusters in this process, between which programs are measured. */
export interface EmbeddedClusters {
  /** Starts a program, waits for all copies, stops the program and deletes the copies. */
  coldStart(args: readonly string[]): Promise<EmbeddedRun>
  /**
   * Changes one object after the other while a program runs. Resolves to the latency of each copy in
   * milliseconds.
   */
  latencies(args: readonly string[], changes: number): Promise<number[]>
  close(): Promise<void>
}

/** Creates both clusters, with `count` ConfigMaps of 1 KiB in the virtual one. */
export async function embeddedClusters(count: number): Promise<EmbeddedClusters> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-embedded-'))
  const [virtual, host] = [await listening(folder, 'virtual'), await listening(folder, 'host')]
  const client = createClient({ transport: inProcessTransport(host) })
  await client.create(namespaces, { metadata: { name: target } })
  const virtualClient = createClient({ transport: inProcessTransport(virtual) })
  const originals = await layOut(virtualClient, count)
  const copies = new Copies(host)
  const env = {
    VIRTUAL_KUBECONFIG: join(folder, 'virtual'),
    HOST_KUBECONFIG: join(folder, 'host'),
    VCLUSTER_NAME: 'bench',
    TARGET_NAMESPACE: target,
  }
  /** Runs a program until `work` is done; `work` starts when all copies exist. */
  const during = async <T>(args: readonly string[], work: (program: ChildProcess) => Promise<T>) => {
    const program = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    })
    const ended = once(program, 'exit')
    const early = ended.then(([status]) => {
      throw new Error(`${args.at(-1)} exited with status ${status} before its work was done`)
    })
    try {
      await Promise.race([copies.until((payloads) => payloads.size >= count), early])
      return await work(program)
    } finally {
      program.kill('SIGTERM')
      await ended
      await client.deleteCollection(configMaps, { namespace: target })
      await copies.until((payloads) => payloads.size === 0)
    }
  }
  return {
    coldStart: (args) => {
      const startedMs = performance.now()
      return during(args, async ({ pid = 0 }) => ({
        ms: performance.now() - startedMs,
        cpuMs: cpuMs(pid),
        peakMiB: peakMiB(pid),
      }))
    },
    latencies: (args, changes) =>
      during(args, () => latencies(virtualClient, { originals, copies, changes })),
    close: async () => {
      copies.close()
      await Promise.all([virtual.close(), host.close()])
      rmSync(folder, { recursive: true })
    },
  }
}

async function listening(folder: string, name: string): Promise<ApiServer> {
  const server = await createApiServer({ name })
  await server.listen()
  writeFileSync(join(folder, name), await server.kubeconfig(), { mode: 0o600 })
  return server
}

async function layOut(virtual: Client, count: number): Promise<ConfigMap[]> {
  const originals: ConfigMap[] = []
  for (let at = 0; at < count; at++) {
    const metadata = { name: `cm-${at}`, namespace: 'default' }
    originals.push(await virtual.create(configMaps, { metadata, data: { payload: payloadText } }))
  }
  return originals
}

/** Tracks the copies on the host. */
class Copies {
  readonly #payloads = new Map<string, string>()
  readonly #stop: () => void
  #look = () => {}

  constructor(host: ApiServer) {
    const transport = inProcessTransport(host)
    const watching = watchResource({ transport, resource: configMaps, namespace: target }).subscribe(
      (event) => {
        if (!('object' in event)) return
        const { object } = event
        const payload = object.data?.payload
        const { name } = object.metadata
        if (payload === undefined || name === undefined) return
        if (event.type === 'deleted') this.#payloads.delete(name)
        else this.#payloads.set(name, payload)
        this.#look()
      },
    )
    this.#stop = () => watching.unsubscribe()
  }

  /** Resolves as soon as `holds` returns true. */
  until(holds: (payloads: ReadonlyMap<string, string>) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (!holds(this.#payloads)) return
        this.#look = () => {}
        resolve()
      }
      this.#look()
    })
  }

  close(): void {
    this.#stop()
  }
}

const pauseMs = 10

async function latencies(
  virtual: Client,
  { originals, copies, changes }: { originals: ConfigMap[]; copies: Copies; changes: number },
): Promise<number[]> {
  const late: number[] = []
  for (let at = 0; at < changes; at++) {
    const index = (at * 7919) % originals.length
    const original = originals[index]
    if (!original) continue
    const payload = `${at}-${payloadText}`
    originals[index] = await virtual.update(configMaps, { ...original, data: { payload } })
    const answeredMs = performance.now()
    await copies.until((payloads) => [...payloads.values()].includes(payload))
    late.push(performance.now() - answeredMs)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return late
}

const objectCount = 2000
const rounds = 3
const changeCount = 300
const startCount = 10
const bundle = 'dist/plugin/main.mjs'
/** The programs that `npm run bench -- --embedded` compares. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'raw writer': ['bench/raw-writer.mjs'],
  standalone: [bundle],
}

/**
 * Prints the figures of the plugin and of a raw writer between embedded clusters in this process. With a
 * folder for profiles, each run writes a profile to it.
 */
export async function measureEmbedded(profiles?: string): Promise<void> {
  const bundling = ['bin/vcluster-plugin.js', 'bundle', 'examples/sync-all-configmaps', bundle]
  execFileSync(process.execPath, bundling, { stdio: 'inherit' })
  const clusters = await embeddedClusters(objectCount)
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
  const runs: Record<string, EmbeddedRun[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(programs)) {
      runs[name] = [...(runs[name] ?? []), await clusters.coldStart([...profiling, ...args])]
    }
  }
  const late = (await clusters.latencies([bundle], changeCount)).sort((a, b) => a - b)
  await clusters.close()
  console.log(
    `cold start of ${objectCount} ConfigMaps of 1 KiB between embedded clusters, median of ${rounds}`,
  )
  for (const [name, measured] of Object.entries(runs)) console.log(line(name, measured))
  const at = (share: number) => short(late[Math.ceil(late.length * share) - 1] ?? 0)
  console.log(`standalone, one change at a time: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  const starts: StartUp[] = []
  for (let round = 0; round < startCount; round++) starts.push(await startUp([process.execPath, bundle]))
  const least = (key: keyof StartUp) => short(Math.min(...starts.map((each) => each[key])))
  console.log(
    `standalone, from exec to the first connection: ${least('ms')} ms, ${least('cpuMs')} ms of CPU time`,
  )
}

function line(name: string, runs: readonly EmbeddedRun[]): string {
  const middle = (key: keyof EmbeddedRun) => short(median(runs.map((run) => run[key])) ?? 0)
  const [ms, cpu, peak] = [middle('ms'), middle('cpuMs'), middle('peakMiB')]
  return `${name.padEnd(12)}${ms} ms, ${cpu} ms of CPU time, peak ${peak} MiB`
}
