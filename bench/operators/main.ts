/**
 * Compares an operator with the same one by controller-runtime: a Deployment and a status for each object, on a real
 * API server.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { asInImage } from '../as-in-image.js'
import { median } from '../figures.js'
import { type Figures, type Load, measure } from './measure.js'

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000,5000' },
    runs: { type: 'string', default: '1' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
})
const columns: readonly [title: string, key: keyof Figures, digits: number][] = [
  ['all done, s', 'coldSeconds', 2],
  ['CPU of that, s', 'coldCpuSeconds', 2],
  ['writes per object', 'coldWritesPerObject', 2],
  ['change p50, ms', 'changeP50Ms', 1],
  ['change p99, ms', 'changeP99Ms', 1],
  ['writes per change', 'writesPerChange', 2],
  ['CPU per change, ms', 'cpuMsPerChange', 2],
  ['memory at rest, MiB', 'restMiB', 0],
  ['peak memory, MiB', 'peakMiB', 0],
  ['writes of a restart', 'restartWrites', 0],
]

const folder = mkdtempSync(join(tmpdir(), 'bench-operators-'))
try {
  const programs = execFileSync('bench/go/build', { encoding: 'utf8' }).trim()
  const bundle = join(folder, 'main.mjs')
  execFileSync(process.execPath, ['bin/vcluster-plugin.js', 'bundle', 'bench/operators/program', bundle])
  const peers = {
    'this SDK': [...asInImage, bundle],
    'controller-runtime, 1 worker': [join(programs, 'operator'), '-qps=-1'],
    'controller-runtime, 32 workers': [join(programs, 'operator'), '-qps=-1', '-workers=32'],
  }
  print(['objects', 'program', ...columns.map(([title]) => title), 'load before'])
  print(Array.from({ length: columns.length + 3 }, () => '---'))
  for (const objects of (values.objects ?? '').split(',').map(Number)) {
    const load = { objects, changesPerSecond: Number(values.rate), changeSeconds: Number(values.seconds) }
    for (const [name, command] of Object.entries(peers))
      if (name.includes(values.only ?? '')) await row(name, command, load)
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** Prints the medians of the runs of one program. */
async function row(name: string, command: readonly string[], load: Load): Promise<void> {
  const before = loadavg()[0] ?? 0
  const runs: Figures[] = []
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measure(command, load))
  const figures = columns.map(([, key, digits]) => (median(runs.map((run) => run[key])) ?? 0).toFixed(digits))
  print([String(load.objects), name, ...figures, before.toFixed(1)])
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
