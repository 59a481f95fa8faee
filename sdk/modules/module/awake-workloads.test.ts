// Tests that workloads which somebody wakes while their Module sleeps are noticed.
import t, { type Test } from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import { createChart, helm, helmModule } from '../helm/helm.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, startTimed, type TimedTest } from './modules.fixture.js'

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
}
const scale = ({ client }: TimedTest, replicas: number) =>
  client.patch(
    deployments,
    { namespace: 'default', name: 'web' },
    { type: 'merge', body: { spec: { replicas } } },
  )
const degraded = async (test: TimedTest) => {
  const { status } = await test.live()
  const found = status?.conditions?.find(({ type }) => type === 'Degraded')
  return [status?.phase, found?.status, found?.reason, status?.message]
}
const lookMs = 301_000

async function checkNoticed(test: TimedTest, t: Pick<Test, 'strictSame' | 'equal'>): Promise<void> {
  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.strictSame(await degraded(test), ['sleeped', 'False', 'AsExpected', undefined])
  await scale(test, 5)
  await test.pass(lookMs)
  const message =
    'the Module sleeps, but Deployment default/web has 5 replicas; scale it down again, or set hibernated to false'
  t.strictSame(await degraded(test), ['sleeped', 'True', 'AwakeWorkloads', message])
  await scale(test, 0)
  await test.pass(lookMs)
  t.strictSame(await degraded(test), ['sleeped', 'False', 'AsExpected', undefined])
  await scale(test, 5)
  await test.change({ hibernated: false })
  await test.pass(2_000)
  t.strictSame(await degraded(test), ['ready', 'False', 'AsExpected', undefined])
  const { spec } = await test.client.get(deployments, { namespace: 'default', name: 'web' })
  t.equal(spec?.replicas, 5, 'the wake does not overwrite it')
  t.equal((await test.live()).metadata.annotations?.['forkspacer.com/sleepers'], undefined)
}

void t.test('a workload of a program that somebody wakes during the sleep is named', async (t) => {
  const test = await startTimed(t)
  test.noting.behaviour = {
    install: ({ cluster }) => cluster.apply([web]),
    sleep: ({ cluster }) => cluster.scaleDown(web),
    resume: ({ cluster }) => cluster.scaleUp(web),
  }
  await test.client.create(modules, moduleOf())
  await test.pass(2_000)
  await checkNoticed(test, t)
})

void t.test('so is one of a Helm release', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  await createChart(test.client)
  await test.client.create(modules, helmModule({ values: [{ raw: { only: ['Deployment'] } }] }))
  await test.pass(2_000)
  await checkNoticed(test, t)
})

void t.test(
  'names that somebody writes into the annotation are not looked at in other namespaces',
  async (t) => {
    const test = await startTimed(t, { modules: { helm } })
    await createChart(test.client)
    await test.client.create(modules, helmModule({ values: [{ raw: { only: ['Deployment'] } }] }))
    await test.pass(2_000)
    await test.change({ hibernated: true })
    await test.pass(2_000)
    const annotations = { 'forkspacer.com/replicas': '3' }
    const foreign = { ...web, metadata: { ...web.metadata, namespace: 'kube-system', annotations } }
    await test.client.create(deployments, foreign as never)
    const names = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'kube-system', name: 'web' }]
    const body = { metadata: { annotations: { 'forkspacer.com/sleepers': JSON.stringify(names) } } }
    await test.client.patch(modules, { namespace: 'default', name: 'shop' }, { type: 'merge', body })
    await test.pass(lookMs)
    t.strictSame(await degraded(test), ['sleeped', 'False', 'AsExpected', undefined])
  },
)
