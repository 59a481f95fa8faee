/**
 * Measures the CPU time of installing a chart of another project, of upgrading one field, and of a minute in which
 * nothing changes, next to helm, on a real API server: `node --import=tsx --conditions=vcluster-plugin-sdk:source
 * bench/helm/upgrades.ts kube-prometheus-stack`, with REAL_CHARTS as a folder of archives, HELM_ENGINE, HELM_PROGRAMS
 * and KUBEBUILDER_ASSETS. The environment variable PROFILES names a folder for CPU profiles of the operator.
 */
import { corpusCharts } from '../../test/helm/corpus-charts.js'
import { asInImage } from '../as-in-image.js'
import { type ChartFigures, measureChart } from './measure-chart.js'
import { measureHelmChart } from './measure-helm-chart.js'

const names = process.argv.slice(2)
const charts = corpusCharts.filter(({ name }) =>
  (names.length > 0 ? names : ['kube-prometheus-stack']).includes(name),
)
const programs = (process.env.HELM_PROGRAMS ?? '').split('\n').filter(Boolean)
const profile = process.env.PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILES}`] : []
const operator = [
  ...asInImage,
  ...[...profile, '--import=tsx', '--conditions=vcluster-plugin-sdk:source', 'bench/helm/program/main.ts'],
]

for (const chart of charts) {
  const figures: Record<string, Partial<ChartFigures>> = { 'this SDK': await measureChart(operator, chart) }
  const newest = programs.at(-1)
  if (newest) {
    figures['this SDK with the helm program'] = await measureChart(operator, chart, {
      HELM_BIN: newest,
      RENDERER: 'program',
    })
    figures['helm 4'] = await measureHelmChart(newest, chart)
  }
  report(chart.name, figures)
}

function report(name: string, figures: Readonly<Record<string, Partial<ChartFigures>>>): void {
  const rows: readonly (readonly [string, keyof ChartFigures, number])[] = [
    ['installation: CPU, s', 'installCpu', 1],
    ['time, s', 'installSeconds', 1],
    ['upgrade of one field: CPU, s', 'upgradeCpu', 1],
    ['time, s', 'upgradeSeconds', 1],
    ['60 s without a change, a look every 10 s: CPU, s', 'idleCpu', 1],
    ['memory then, MiB', 'restMiB', 0],
    ['peak memory, MiB', 'peakMiB', 0],
  ]
  const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  line([name, ...Object.keys(figures)])
  line(['---', ...Object.keys(figures).map(() => '---')])
  for (const [title, key, digits] of rows)
    line([title, ...Object.values(figures).map((one) => one[key]?.toFixed(digits) ?? '–')])
}
