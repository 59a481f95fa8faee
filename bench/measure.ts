import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { type RealCluster, startRealCluster } from '../test/real/real-cluster.js'
import { type Contestant, contestants, type Step } from './plan.js'
import { type Measurement, readMeasurement } from './session.js'

/** What is measured with, and where. */
export interface Bench {
  readonly programs: string
  readonly bundle: string
  readonly virtual: RealCluster
  readonly host: RealCluster
  /** A command that each measurement runs under, `nice -n -5` for example; empty for none. */
  readonly under: readonly string[]
}

const run = promisify(execFile)

/** Builds the Go programs and our bundle, and starts two control planes that write to the disk as real ones do. */
export async function prepareBench(under: readonly string[]): Promise<Bench> {
  const output = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  process.env.PATH = `${output('.ci/go')}:${process.env.PATH}`
  process.env.KUBEBUILDER_ASSETS = output('test/control-plane/build')
  const programs = output('bench/go/build')
  const bundle = 'dist/plugin/main.mjs'
  output(process.execPath, 'bin/vcluster-plugin.js', 'bundle', 'examples/sync-all-configmaps', bundle)
  const [virtual, host] = [
    await startRealCluster({ durable: true }),
    await startRealCluster({ durable: true }),
  ]
  return { programs, bundle, virtual, host, under }
}

/** Stops both control planes. */
export async function endBench({ virtual, host }: Bench): Promise<void> {
  await Promise.all([virtual.stop(), host.stop()])
}

/** Runs one scenario once with each of its contestants, beginning with another one in each round. */
export async function* measureStep(bench: Bench, step: Step, round: number): AsyncGenerator<Measurement> {
  const shift = round % step.contestants.length
  for (const name of [...step.contestants.slice(shift), ...step.contestants.slice(0, shift)]) {
    const contestant = contestants.find((each) => each.name === name)
    if (!contestant) throw new Error(`plan.ts has no contestant "${name}"`)
    yield { ...(await measureOne(bench, step, contestant)), run: round + 1 }
  }
}

async function measureOne(bench: Bench, step: Step, contestant: Contestant): Promise<Measurement> {
  const { programs, virtual, host, under } = bench
  const { scenario, payload = 1024, delayMs = 0 } = step
  const command = [
    ...under,
    `${programs}/measure`,
    ...['-virtual', virtual.kubeconfigFile, '-host', host.kubeconfigFile],
    ...['-name', contestant.name, '-mode', contestant.mode ?? 'standalone'],
    ...['-payload', `${payload}`, '-delay', `${delayMs}ms`],
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
