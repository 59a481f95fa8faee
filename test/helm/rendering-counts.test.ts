// Tests how often charts of other projects with random values are rendered: once for an installation and for an
// upgrade, and not at all for a run with nothing to do.
import t, { type Test } from 'tap'
import { namespaces, secrets } from '../../sdk/engine/kube/builtin.js'
import type { JsonObject } from '../../sdk/helm/chart/json-object.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import { defaultRenderer } from '../../sdk/helm/render/default-renderer.js'
import type { ChartRenderer } from '../../sdk/helm/render/renderer.js'
import { testOperator } from '../../testing/index.js'
import { until } from '../until.js'
import { isWholeRun } from '../whole-run.js'
import { missingEngine } from './charts.js'
import { type CorpusChart, corpusCharts, missingCharts } from './corpus-charts.js'
import { releasedKind } from './real-kinds.js'

const skip = missingEngine || missingCharts

/** Charts that look up the Secret that they made, and one that prints the time in each rendering. */
const counted: Readonly<Record<string, JsonObject>> = {
  'kube-prometheus-stack': {
    prometheusOperator: { admissionWebhooks: { enabled: false }, tls: { enabled: false } },
  },
  grafana: {},
  'argo-cd': {
    configs: { secret: { argocdServerAdminPassword: 'a-hash' } },
    redisSecretInit: { enabled: false },
  },
}

/** Those of each change: the smallest one, and the one that prints the time. */
const first = ['grafana', 'argo-cd']
const names = Object.keys(counted).filter((name) => isWholeRun || first.includes(name))

/** A renderer that counts its renderings. */
function counting(renderer: ChartRenderer): ChartRenderer & { count: number } {
  const { name } = renderer
  return {
    name,
    count: 0,
    mayReuse: true,
    async render(request, signal) {
      this.count += 1
      return renderer.render(request, signal)
    },
    close: () => renderer.close(),
  }
}

void t.test('charts with random values are rendered once for a revision', { skip }, async (t) => {
  for (const chart of corpusCharts.filter(({ name }) => names.includes(name)))
    await t.test(chart.name, (t) => rendersOnce(t, chart))
})

async function rendersOnce(t: Test, { name, archive, change }: CorpusChart): Promise<void> {
  const chart = await loadChart(archive)
  const renderer = counting(await defaultRenderer([chart]))
  t.teardown(() => renderer.close())
  const { kind, definition } = releasedKind('Counted')
  const test = await testOperator(
    (operator) =>
      operator.register(helmController({ resource: kind, chart, renderer, reconcilePeriodMs: 0 })),
    { definitions: [definition] },
  )
  t.teardown(() => test.stop())
  const { client } = test
  const key = { namespace: 'counted', name: 'rel' }
  await client.create(namespaces, { metadata: { name: key.namespace } })
  const isDeployed = (revision: number) => async () => {
    const revisions = await new ReleaseStore(client, Date.now).revisions(key.namespace, key.name)
    return revisions.some(
      ({ release: { version, info } }) => version === revision && info.status === 'deployed',
    )
  }
  const edit = async (body: object) => {
    const before = renderer.count
    await client.patch(kind, key, { type: 'merge', body })
    return before
  }
  const passwords = async () => {
    const { items } = await client.list(secrets, { namespace: key.namespace })
    return items.filter(({ type }) => type === 'Opaque').map(({ data }) => data)
  }
  await client.create(kind, { metadata: key, spec: counted[name] ?? {} })
  await until(isDeployed(1))
  await test.settled()
  t.equal(renderer.count, 1, 'the installation')
  const drawn = await passwords()
  t.ok(drawn.length > 0)

  const beforeNothing = await edit({ metadata: { labels: { run: 'again' } } })
  await test.settled()
  t.equal(renderer.count, beforeNothing, 'a run with nothing to do')

  const beforeUpgrade = await edit({ spec: change })
  await until(isDeployed(2))
  await test.settled()
  t.equal(renderer.count, beforeUpgrade + 1, 'the upgrade of one value')
  t.strictSame(await passwords(), drawn, 'random values stay')
}
