import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Bar, barChart } from './chart.js'
import { median, type Series, seriesOf, short, spread, valuesOf } from './figures.js'
import { growthTable } from './growth.js'
import { openSession, type Session } from './session.js'
import { type Verdict, verdictsOf } from './targets.js'

const ours = ['standalone', 'sidecar']

/** The columns of a scenario's table, by the scenario's first word: the metric, then the heading. */
const columns: Readonly<Record<string, readonly (readonly [metric: string, words: string])[]>> = {
  cold: [
    ['seconds', 's'],
    ['ratio', '× the floor'],
    ['per_second', 'objects/s'],
    ['cpu_s', 'CPU s'],
    ['peak_rss_mib', 'peak MiB'],
    ['writes_per_change', 'writes per object'],
    ['host_reads', 'reads'],
    ['wrong_objects', 'wrong'],
  ],
  restart: [
    ['seconds', 'first new change, s'],
    ['needless_writes', 'needless writes'],
    ['cpu_s', 'CPU s'],
    ['rest_rss_mib', 'MiB at rest'],
    ['peak_rss_mib', 'peak MiB'],
    ['wrong_objects', 'wrong'],
  ],
  steady: [
    ['p50_ms', 'p50 ms'],
    ['p90_ms', 'p90 ms'],
    ['p99_ms', 'p99 ms'],
    ['max_ms', 'max ms'],
    ['cpu_s_per_1k', 'CPU s per 1,000'],
    ['rss_mib', 'MiB'],
    ['writes_per_change', 'writes per change'],
    ['wrong_objects', 'wrong'],
  ],
  churn: [
    ['create_p50_ms', 'create p50 ms'],
    ['create_p99_ms', 'p99'],
    ['delete_p50_ms', 'delete p50 ms'],
    ['delete_p99_ms', 'p99'],
    ['left_over', 'left over'],
    ['wrong_objects', 'wrong'],
  ],
  cut: [
    ['recovered_s', 'caught up after, s'],
    ['virtual_lists', 'lists, virtual'],
    ['host_lists', 'host'],
    ['wrong_objects', 'wrong'],
  ],
  crash: [
    ['seconds', 'in sync after, s'],
    ['writes_per_change', 'writes per object'],
    ['wrong_objects', 'wrong'],
  ],
  start: [
    ['start_ms', 'ms'],
    ['cpu_ms', 'CPU ms'],
  ],
  noisy: [
    ['alone_p50_ms', 'alone: p50 ms'],
    ['alone_p99_ms', 'p99'],
    ['beside_p50_ms', 'with it: p50 ms'],
    ['beside_p99_ms', 'p99'],
    ['p99_ratio', 'ratio of p99'],
    ['beside_write_p99_ms', 'the change itself with it: p99 ms'],
    ['write_p99_ratio', 'ratio to alone'],
  ],
}

/** The headings of scenarios, by the scenario's first word. */
const headings: Readonly<Record<string, string>> = {
  cold: 'Cold start: N objects exist, no copies; from the start of the process to the last copy',
  restart: 'Restart with N in sync, while one object changes',
  steady: 'N objects, and a number of changes per second; from the virtual API server’s response to the copy',
  churn: 'A number of objects created per second, each deleted a second later',
  cut: 'All connections reset and refused for two to three seconds',
  hang: 'All connections silent',
  crash: 'Killed during a cold start, and started again',
  start: 'From exec to the first connection',
  noisy: 'Changes in quiet namespaces while another one has 10,000 objects created',
}

/** Writes docs/benchmarks.md and its charts from a session. */
export function writeReport(session: Session, file: string): void {
  const all = withRatios(seriesOf(session.measurements))
  const verdicts = verdictsOf(all, ours)
  mkdirSync('docs/benchmarks', { recursive: true })
  const charts = [
    chart(all, { scenario: 'cold 10000', metric: 'seconds', title: 'Cold start of 10,000 objects, seconds' }),
    chart(all, { scenario: 'cold 10000', metric: 'peak_rss_mib', title: 'Peak memory of that, MiB' }),
    chart(all, {
      scenario: 'steady 100 20 10000',
      metric: 'p99_ms',
      title: '100 changes a second: p99, milliseconds',
    }),
  ].flat()
  const text = [
    intro(session, file),
    ...charts,
    targetTable(verdicts),
    '## Every figure\n',
    'Median, and minimum to maximum if there was more than one run.\n',
    ...tables(all),
    ...growthTable(all, ours),
  ]
  writeFileSync('docs/benchmarks.md', `${text.join('\n').trimEnd()}\n`)
}

function intro({ machine, commands, measurements, left_out }: Session, file: string): string {
  const loads = measurements.map(({ load }) => load)
  const [first, last] = [measurements.at(0)?.time, measurements.at(-1)?.time]
  return `# Benchmarks

The tutorial's plugin, standalone and as a sidecar, compared with its peers: one session on one machine that also runs
both API servers and the harness. **Compare figures of one session only.** [bench/README.md](../bench/README.md)
describes the scenarios and the peers. \`npm run bench\` generates this page from
[${file}](../${file}). [Other programs](benchmarks-programs.md)
have a page of their own.

| | |
|---|---|
| machine | ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Linux ${machine.kernel} |
| versions | Node ${machine.node}, ${machine.go}, Kubernetes ${machine.kubernetes}, etcd with fsync |
| when | ${first} to ${last} |
| one-minute load average before each run | ${spread(loads)}${loadNote(median(loads) ?? 0, machine.cores)} |
| commands | ${commands.map((command) => `\`${command.trim()}\``).join('<br>')} |${left_out ? `\n| left out | ${left_out} |` : ''}
`
}

function loadNote(load: number, cores: number): string {
  return load > cores
    ? ': **more than the cores can handle** (including the previous run), so times vary; memory and counts are valid'
    : ''
}

function targetTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(
    ({ what, mirror, words, limit, measured, isHeld }) =>
      `| ${what} | ${mirror} | ${words === short(limit) ? words : `${words}: ${short(limit)}`} | ${short(measured)} | ${
        isHeld
          ? 'held'
          : `**missed**${Number.isFinite(measured) ? `, ${limit > 0 ? `${short(measured / limit)} ×` : short(measured)}` : ''}`
      } |`,
  )
  return ['## Targets\n', '| | plugin | at most | measured | |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

function tables(all: readonly Series[]): string[] {
  const order = Object.keys(headings)
  const rank = (scenario: string) => order.indexOf(scenario.split(' ')[0] ?? '')
  const scenarios = [...new Set(all.map(({ scenario }) => scenario))].sort((a, b) => rank(a) - rank(b))
  let heading = ''
  return scenarios.map((scenario) => {
    const kind = scenario.split(' ')[0] ?? ''
    const above = heading === kind ? '' : `### ${headings[kind]}\n\n`
    heading = kind
    const series = all.filter((each) => each.scenario === scenario)
    return `${above}${table(scenario, series, columns[kind === 'hang' ? 'cut' : kind] ?? [])}`
  })
}

function table(
  scenario: string,
  series: readonly Series[],
  wanted: readonly (readonly [string, string])[],
): string {
  const shown = wanted.filter(([metric]) => series.some((each) => valuesOf(each, metric).length > 0))
  const rows = series.map((each) => {
    const failed = each.runs.flatMap(({ error }) => error ?? [])
    const cells = shown.map(([metric]) => spread(valuesOf(each, metric)))
    return `| ${each.mirror} | ${each.runs.length} | ${cells.join(' | ')} |${failed.map((error) => ` failed: ${error}`)}`
  })
  const head = `| ${scenario} | runs | ${shown.map(([, words]) => words).join(' | ')} |`
  return [head, `|---|---|${'---|'.repeat(shown.length)}`, ...rows, ''].join('\n')
}

/** Adds to each cold start its ratio to the floor of the same session. */
function withRatios(all: readonly Series[]): Series[] {
  return all.map((each) => {
    const floor = all.find(({ mirror, scenario }) => mirror === 'floor' && scenario === each.scenario)
    const least = floor && median(valuesOf(floor, 'seconds'))
    if (!least) return each
    const runs = each.runs.map((run) => ({
      ...run,
      metrics: { ...run.metrics, ratio: (run.metrics?.seconds ?? Number.NaN) / least },
    }))
    return { ...each, runs }
  })
}

function chart(
  all: readonly Series[],
  { scenario, metric, title }: Record<'scenario' | 'metric' | 'title', string>,
) {
  const bars: Bar[] = all
    .filter((each) => each.scenario === scenario)
    .flatMap((each) => {
      const values = valuesOf(each, metric)
      const value = median(values)
      if (value === undefined) return []
      return [{ label: each.mirror, value, text: spread(values), isOurs: ours.includes(each.mirror) }]
    })
  if (bars.length === 0) return []
  const name = `${scenario} ${metric}`.replace(/[^a-z0-9]+/g, '-')
  writeFileSync(`docs/benchmarks/${name}.svg`, barChart(title, bars))
  return [`![${title}](benchmarks/${name}.svg)\n`]
}

const [, program, file] = process.argv
if (program && import.meta.url === pathToFileURL(program).href && file) writeReport(openSession(file), file)
