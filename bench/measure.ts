import { execFile, execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { type RealCluster, startRealCluster } from '../test/real/real-cluster.js'
import { median } from './figures.js'
import { type Contestant, contestants, type Step, type Tools } from './plan.js'
import { load, type Measurement, readMeasurement } from './session.js'
import { startUp } from './start-up.js'

/** The tools and clusters of a measurement. */
export interface Bench extends Tools {
  readonly virtual: RealCluster
  readonly host: RealCluster
  /** A command that runs each measurement, for example `nice -n -5`; empty for none. */
  readonly under: readonly string[]
}

/** Options of {@link prepareBench}. */
export interface PrepareBenchOptions extends Pick<Bench, 'under'> {
  /** The folder to which this project's plugins write a profile of each run; default none. */
  profiles?: string | undefined
}

const run = promisify(execFile)

/**
 * Builds the Go programs and the plugin's bundle, and starts two control planes that write to disk as real
 * ones do.
 */
export async function prepareBench({ under, profiles }: PrepareBenchOptions): Promise<Bench> {
  const output = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  process.env.PATH = `${output('.ci/go')}:${process.env.PATH}`
  process.env.KUBEBUILDER_ASSETS = output('test/control-plane/build')
  const programs = output('bench/go/build')
  const bundle = 'dist/plugin/main.mjs'
  const bundling = ['bundle', 'examples/sync-all-configmaps', bundle, '--compile-cache']
  output(process.execPath, 'bin/vcluster-plugin.js', ...bundling, String(process.getuid?.()))
  const [virtual, host] = [
    await startRealCluster({ durable: true }),
    await startRealCluster({ durable: true }),
  ]
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profiles)}`]
  return { programs, bundle, profiling, virtual, host, under }
}

/** Stops both control planes. */
export async function endBench({ virtual, host }: Bench): Promise<void> {
  await Promise.all([virtual.stop(), host.stop()])
}

/** Runs one scenario once with each of its contestants, in another order in each round. */
export async function* measureStep(bench: Bench, step: Step, round: number): AsyncGenerator<Measurement> {
  const shift = round % step.contestants.length
  for (const name of [...step.contestants.slice(shift), ...step.contestants.slice(0, shift)]) {
    const contestant = contestants.find((each) => each.name === name)
    if (!contestant) throw new Error(`plan.ts does not have a contestant "${name}"`)
    const measure = step.scenario === 'start' ? measureStart : measureOne
    yield { ...(await measure(bench, step, contestant)), run: round + 1 }
  }
}

/** The number of starts in one measurement, which is their median. */
const starts = 11

async function measureStart(
  bench: Bench,
  { scenario }: Step,
  { name, mode, command }: Contestant,
): Promise<Measurement> {
  const about = { time: new Date().toISOString(), mirror: name, scenario, run: 1, load: load() }
  const [tookMs, cpuMs]: [number[], number[]] = [[], []]
  for (let at = 0; at < starts; at++) {
    const start = await startUp(command(bench), mode)
    tookMs.push(start.ms)
    cpuMs.push(start.cpuMs)
  }
  return { ...about, metrics: { start_ms: median(tookMs) ?? 0, cpu_ms: median(cpuMs) ?? 0 } }
}

async function measureOne(bench: Bench, step: Step, contestant: Contestant): Promise<Measurement> {
  const { programs, virtual, host, under } = bench
  const { scenario, payload = 1024, delayMs = 0, limit = '5m' } = step
  const command = [
    ...under,
    `${programs}/measure`,
    ...['-virtual', virtual.kubeconfigFile, '-host', host.kubeconfigFile],
    ...['-name', contestant.name, '-mode', contestant.mode ?? 'standalone'],
    ...['-payload', `${payload}`, '-delay', `${delayMs}ms`, '-limit', limit],
    scenario,
    '--',
    ...contestant.command(bench),
  ]
  const [program = '', ...args] = command
  const measuring = run(program, args)
  const end = () => measuring.child.kill()
  process.once('exit', end)
  const { stdout } = await measuring
  process.off('exit', end)
  return readMeasurement(stdout)
}
