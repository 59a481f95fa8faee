/**
 * Compares the operator of examples/memcached-helm with `helm upgrade --install` in a loop: so many releases from
 * nothing, and a look at each of them when nothing has changed; on a real API server. Also measures how long charts
 * take to render.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { asInImage } from '../as-in-image.js'
import { columns, type Figures } from './figures.js'
import { measureHelm } from './measure-helm.js'
import { measureOperator } from './measure-operator.js'
import { measureRendering, type RenderingFigures } from './measure-rendering.js'

const { values } = parseArgs({
  options: {
    releases: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '70' },
    renderings: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
})
const example = 'examples/memcached-helm'
const releases = Number(values.releases)
const loadBefore = loadavg()[0] ?? 0
const folder = mkdtempSync(join(tmpdir(), 'bench-helm-'))
try {
  const bundle = join(folder, 'main.mjs')
  execFileSync(process.execPath, ['bin/vcluster-plugin.js', 'bundle', example, bundle])
  for (const path of ['watches.yaml', 'charts', 'crds'])
    cpSync(join(example, path), join(folder, path), { recursive: true })
  const rendering = await measureRendering(Number(values.renderings))
  const programs: Record<string, Figures> = {
    'this SDK': await measureOperator([...asInImage, bundle], { releases, seconds: Number(values.seconds) }),
  }
  for (const program of (process.env.HELM_PROGRAMS ?? '').split('\n').filter(Boolean))
    programs[versionOf(program)] = await measureHelm(program, releases)
  if (values.json) process.stdout.write(`${JSON.stringify({ releases, loadBefore, programs, rendering })}\n`)
  else report(programs, rendering)
} finally {
  rmSync(folder, { recursive: true })
}

/** `helm v4.1.4`; the folder's name if it does not say. */
function versionOf(program: string): string {
  const version = execFileSync(program, ['version', '--template', '{{.Version}}'], {
    encoding: 'utf8',
  }).trim()
  return `helm ${version || basename(dirname(program))} in a loop`
}

function report(programs: Readonly<Record<string, Figures>>, rendering: readonly RenderingFigures[]): void {
  const rows = columns.map(([title, key, digits]) => [
    title,
    ...Object.values(programs).map((figures) => figures[key]?.toFixed(digits) ?? '–'),
  ])
  table([`${releases} releases`, ...Object.keys(programs)], rows)
  const rendered = rendering.map(({ chart, firstMs, medianMs }) => [
    chart,
    firstMs.toFixed(0),
    medianMs.toFixed(1),
  ])
  table(['chart', 'first rendering, ms', 'rendering, ms'], rendered)
  process.stdout.write(`The load before was ${loadBefore.toFixed(1)}.\n`)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  process.stdout.write(`${[head, head.map(() => '---'), ...rows].map(line).join('')}\n`)
}
