/**
 * Compares the plugin of examples/cnpg-hello-world with the same hook by the Go helper library: start-up, memory at
 * rest, hooks per second and their p99. Both serve mutual TLS. A client in Go calls them in turns, because the speed of
 * a shared machine changes within seconds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuMs, peakMiB, residentMiB } from '../../cli/bench/process-usage.js'
import {
  type CertificateFiles,
  clientFlags,
  serverFlags,
  writeCertificates,
} from '../../test/cnpg-process.js'
import { asInImage } from '../as-in-image.js'
import { median } from '../figures.js'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    calls: { type: 'string', default: '1,10,200' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'bench-cnpg-'))
const programs = execFileSync('bench/cnpg/go/build', { encoding: 'utf8' }).trim()
const files = writeCertificates(folder)
const inputs = writeInputs()

/** The figures of one run. */
interface Run {
  readonly startMs: number
  readonly restMiB: number
  readonly peakMiB: number
  /** By calls at a time. */
  readonly loads: ReadonlyMap<number, Load>
}

/** The answer of the client in Go. */
interface Load {
  readonly hooks: number
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly slowestMs: number
  readonly patchBytes: number
  /** Of the plugin, for one hook. */
  readonly cpuMs: number
}

try {
  const bundle = join(folder, 'main.mjs')
  execFileSync(process.execPath, ['bin/vcluster-plugin.js', 'bundle', 'examples/cnpg-hello-world', bundle])
  const peers = {
    'this SDK': [...asInImage, bundle],
    'Go helper': [join(programs, 'peer'), '--debug=false'],
  }
  const runs = new Map<string, Run[]>(Object.keys(peers).map((name) => [name, []]))
  for (let run = 0; run < Number(values.runs); run++)
    for (const [name, figures] of await measureAll(peers)) runs.get(name)?.push(figures)
  for (const [name, all] of runs) report(name, all)
} finally {
  rmSync(folder, { recursive: true })
}

/** Starts all plugins, one after the other, and calls them in turns. */
async function measureAll(peers: Readonly<Record<string, readonly string[]>>): Promise<Map<string, Run>> {
  const plugins: StartedPlugin[] = []
  try {
    for (const [name, command] of Object.entries(peers)) plugins.push(await start(name, command))
    await sleep(10_000)
    const rests = plugins.map(({ child }) => residentMiB(child.pid ?? 0))
    const loads = plugins.map(() => new Map<number, Load>())
    for (const calls of (values.calls ?? '').split(',').map(Number))
      for (const [at, plugin] of plugins.entries()) loads[at]?.set(calls, await callPlugin(plugin, calls))
    return new Map(
      plugins.map(({ name, startMs, child }, at) => [
        name,
        { startMs, restMiB: rests[at] ?? 0, peakMiB: peakMiB(child.pid ?? 0), loads: loads[at] ?? new Map() },
      ]),
    )
  } finally {
    for (const { child } of plugins) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

interface StartedPlugin {
  readonly name: string
  readonly child: ChildProcess
  readonly address: string
  readonly startMs: number
}

async function start(name: string, command: readonly string[]): Promise<StartedPlugin> {
  const address = `127.0.0.1:${await freePort()}`
  const [program = '', ...args] = command
  const startedMs = performance.now()
  const child = spawn(program, [...args, ...flagsOf(address, files)], { stdio: 'ignore' })
  await client(address, ['--wait-only'])
  return { name, child, address, startMs: performance.now() - startedMs }
}

/** Calls a plugin for some seconds, with a number of calls at a time. */
async function callPlugin({ child, address }: StartedPlugin, calls: number): Promise<Load> {
  const pid = child.pid ?? 0
  const before = cpuMs(pid)
  const load = JSON.parse(
    await client(address, ['--calls', String(calls), '--seconds', values.seconds ?? '', ...inputs]),
  ) as Omit<Load, 'cpuMs'>
  // The client warms up for one second, at the same rate.
  const share = Number(values.seconds) / (Number(values.seconds) + 1)
  return { ...load, cpuMs: ((cpuMs(pid) - before) * share) / load.hooks }
}

/** The Go helper has only the old name of `--client-ca`. */
function flagsOf(address: string, certificates: CertificateFiles): string[] {
  return serverFlags(address, certificates).map((flag) => (flag === '--client-ca' ? '--client-cert' : flag))
}

function client(address: string, more: readonly string[]): Promise<string> {
  const args = [...clientFlags(address, files), ...more]
  const child = spawn(join(programs, 'load'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const parts: string[] = []
  child.stdout.setEncoding('utf8').on('data', (part: string) => parts.push(part))
  return new Promise((resolve, reject) => {
    child.once('close', (code) =>
      code === 0 ? resolve(parts.join('')) : reject(new Error(`the client ended with ${code}`)),
    )
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** A Cluster and a Pod of the size that the operator sends: about 8 and 12 KiB. */
function writeInputs(): string[] {
  const instances = Array.from({ length: 3 }, (_, at) => `db-${at + 1}`)
  const status = {
    instanceNames: instances,
    instancesReportedState: Object.fromEntries(
      instances.map((name) => [name, { isPrimary: false, ip: '10.0.0.1' }]),
    ),
    conditions: Array.from({ length: 20 }, (_, at) => ({
      type: `Condition${at}`,
      status: 'True',
      message: 'a message as conditions have it, of some length, so that a Cluster has its usual size'.repeat(
        3,
      ),
    })),
  }
  const labels = { labels: '{"team":"databases"}', annotations: '{"example.org/note":"hello"}' }
  const spec = { instances: 3, plugins: [{ name: 'hello-world.example.org', parameters: labels }] }
  const metadata = { namespace: 'default', name: 'db' }
  const cluster = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata, spec, status }
  const env = Array.from({ length: 60 }, (_, at) => ({
    name: `VARIABLE_${at}`,
    value: `the value of the variable ${at}`,
  }))
  const volumeMounts = Array.from({ length: 12 }, (_, at) => ({
    name: `volume-${at}`,
    mountPath: `/volumes/${at}`,
  }))
  const container = { image: 'ghcr.io/cloudnative-pg/postgresql:17', env, volumeMounts }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'db-1', labels: { role: 'instance' } },
    spec: {
      containers: [{ name: 'postgres', ...container }],
      initContainers: [{ name: 'bootstrap-controller', ...container }],
      volumes: volumeMounts.map(({ name }) => ({ name, emptyDir: {} })),
    },
  }
  const write = (name: string, object: object) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(object))
    return file
  }
  return ['--cluster', write('cluster.json', cluster), '--pod', write('pod.json', pod)]
}

/** Prints the medians of the runs. */
function report(name: string, runs: readonly Run[]): void {
  const middle = (of: (run: Run) => number, digits = 1) => (median(runs.map(of)) ?? 0).toFixed(digits)
  process.stdout.write(
    `${name}: start-up ${middle((run) => run.startMs, 0)} ms, at rest ${middle((run) => run.restMiB)} MiB, peak ${middle((run) => run.peakMiB)} MiB\n`,
  )
  for (const calls of runs[0]?.loads.keys() ?? []) {
    const figure = (key: keyof Load, digits = 1) => middle((run) => run.loads.get(calls)?.[key] ?? 0, digits)
    process.stdout.write(
      `  ${calls} at a time: ${figure('perSecond', 0)} hooks/s, p50 ${figure('p50Ms')} ms, p99 ${figure('p99Ms')} ms, slowest ${figure('slowestMs')} ms, ${figure('cpuMs', 2)} ms of CPU per hook, ${figure('failed', 0)} failed\n`,
    )
  }
}
