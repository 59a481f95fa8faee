/**
 * Measures the CPU time of rendering charts, next to `helm template`: `node --import=tsx
 * --conditions=vcluster-plugin-sdk:source bench/helm/charts.ts`, with REAL_CHARTS as a folder of archives, HELM_ENGINE
 * and HELM_PROGRAMS.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defaultRenderer, loadChart } from '../../sdk/helm/index.js'
import { median } from '../figures.js'

const folder = process.env.REAL_CHARTS ?? ''
const programs = (process.env.HELM_PROGRAMS ?? '').split('\n').filter(Boolean)
const charts =
  process.argv.length > 2 ? process.argv.slice(2) : ['kube-prometheus-stack', 'kyverno', 'argo-cd']
const rounds = 3
const groups = [
  'apps',
  'policy',
  'batch',
  'rbac.authorization.k8s.io',
  'networking.k8s.io',
  'apiextensions.k8s.io',
]
const apiVersions = ['v1', 'autoscaling/v2', ...groups.map((group) => `${group}/v1`)]

process.stdout.write(
  `| chart | first, s | then, s | ${programs.map((_, at) => `helm ${at + 3}, s`).join(' | ')} |\n`,
)
for (const name of charts) {
  const [first = 0, ...then] = await renderingSeconds(join(folder, `${name}.tgz`))
  const theirs = programs.map((program) => median(helmSeconds(program, join(folder, `${name}.tgz`))) ?? 0)
  const cells = [first, median(then) ?? 0, ...theirs].map((seconds) => seconds.toFixed(2))
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
}

/** The CPU time of each rendering in all threads, the first one with the start of the engine. */
async function renderingSeconds(archive: string): Promise<number[]> {
  const chart = await loadChart(archive)
  const seconds: number[] = []
  let before = process.cpuUsage()
  const renderer = await defaultRenderer([chart])
  for (let round = 0; round <= rounds; round++) {
    await renderer.render(
      {
        chart,
        values: {},
        capabilities: { kubeVersion: 'v1.36.3', apiVersions },
        release: { name: 'bench', namespace: 'bench', revision: 1, isInstall: true },
      },
      AbortSignal.timeout(60_000),
    )
    seconds.push(secondsOf(process.cpuUsage(before)))
    before = process.cpuUsage()
  }
  await renderer.close()
  return seconds
}

/** The CPU time of `helm template`, as the shell says it. */
function helmSeconds(program: string, archive: string): number[] {
  const script = '"$0" template bench "$1" --include-crds >/dev/null; times'
  return Array.from({ length: rounds }, () => {
    const output = execFileSync('bash', ['-c', script, program, archive], { encoding: 'utf8' })
    const [, children = ''] = output.trim().split('\n')
    const found = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  })
}

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6
}
