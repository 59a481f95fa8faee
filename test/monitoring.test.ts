// Compares the alert rules and the dashboard with the metrics that programs serve.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { metricsOf, type UsedMetric } from './promql.js'

const folder = new URL('../docs/monitoring/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook: string }
}

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[]
}

const { groups } = parse(read('alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard

/** The labels of each metric, by the table of docs/metrics.md, which docs.test.ts compares with a running program. */
const documented = new Map(
  [...read('../metrics.md').matchAll(/^\| `(\w+)` \| ([\w, ]*) \|/gm)].map(([, name = '', labels = '']) => [
    name,
    labels.split(',').map((label) => label.trim()),
  ]),
)

/** Labels that Prometheus adds to every metric that it scrapes. */
const ofTarget = ['job', 'instance']

/** The mistakes in the metrics of an expression. */
function mistakesIn(expression: string): string[] {
  return metricsOf(expression).flatMap(mistakesOf)
}

function mistakesOf({ name, labels }: UsedMetric): string[] {
  if (/^(process|nodejs)_/.test(name)) return []
  const base = name.replace(/_(bucket|sum|count)$/, '')
  const known = documented.get(name) ?? documented.get(base)
  if (!known) return [`no program serves ${name}`]
  const allowed = [...known, ...ofTarget, ...(name.endsWith('_bucket') ? ['le'] : [])]
  return labels.filter((label) => !allowed.includes(label)).map((label) => `${name} has no label ${label}`)
}

/** Grafana replaces its variables before Prometheus reads an expression. */
const filledIn = (expression: string) =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*')

void t.test('wrong expressions are noticed', async (t) => {
  t.strictSame(mistakesIn('sum by (controller) (rate(sync_lag_second_bucket[5m]))'), [
    'no program serves sync_lag_second_bucket',
  ])
  t.strictSame(mistakesIn('sum by (syncer) (workqueue_depth{queue="x"})'), [
    'workqueue_depth has no label queue',
    'workqueue_depth has no label syncer',
  ])
  t.throws(() => mistakesIn('sum by (controller (workqueue_depth)'), /not allowed at/)
})

void t.test('every alert uses metrics that exist, and has a page that says what to do', async (t) => {
  t.ok(rules.length > 10, `${rules.length} rules`)
  for (const { alert, expr, labels, annotations } of rules) {
    t.strictSame(mistakesIn(expr), [], alert)
    t.match(labels.severity, /^(critical|warning|info)$/, alert)
    t.equal(annotations.runbook, `docs/monitoring/runbooks/${alert}.md`)
    const page = read(`runbooks/${alert}.md`)
    t.ok(page.startsWith(`# ${alert}\n`), alert)
    for (const part of ['Meaning', 'Find the cause', 'Cure']) t.match(page, `\n## ${part}\n`, alert)
    const row = new RegExp(`^\\| \\[${alert}\\]\\(runbooks/${alert}\\.md\\) \\| ${labels.severity} \\|`, 'm')
    t.match(read('README.md'), row, `README.md lists ${alert}`)
  }
  const pages = readdirSync(new URL('runbooks', folder)).map((file) => file.replace('.md', ''))
  t.strictSame(pages.sort(), rules.map(({ alert }) => alert).sort())
})

void t.test('the texts of alerts use labels that their expressions keep', async (t) => {
  for (const { alert, expr, annotations } of rules) {
    const kept = metricsOf(expr).flatMap(({ labels }) => labels)
    const shown = `${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)
    for (const [, label = ''] of shown) t.ok(kept.includes(label), `${alert}: ${label}`)
  }
})

void t.test('every panel of the dashboard uses metrics and labels that exist', async (t) => {
  t.ok(dashboard.panels.length > 10)
  for (const { title, targets } of dashboard.panels) {
    for (const { expr, legendFormat } of targets) {
      t.strictSame(mistakesIn(filledIn(expr)), [], title)
      const labels = metricsOf(filledIn(expr)).flatMap((metric) => metric.labels)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        t.ok(labels.includes(label) || ofTarget.includes(label), `${title}: ${label}`)
    }
  }
  const ids = dashboard.panels.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
})

void t.test('links of runbooks lead somewhere', async (t) => {
  for (const { alert } of rules) {
    const links = [...read(`runbooks/${alert}.md`).matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
    for (const link of links) t.ok(existsSync(new URL(`runbooks/${link}`, folder)), `${alert}: ${link}`)
  }
})
