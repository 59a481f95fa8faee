// Managed Workspaces with the chart of vcluster itself, and with a chart of a repository.
import t from 'tap'
import { until } from '../../../test/until.js'
import { configMaps, secrets, serviceAccounts, services } from '../../engine/kube/builtin.js'
import { roleBindings, roles } from '../../engine/kube/builtin-policies.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import { isNotFound } from '../../engine/kube/error.js'
import { loadChart } from '../../helm/chart/load-chart.js'
import { ReleaseStore } from '../../helm/release/release-store.js'
import { codeRenderer } from '../helm/helm.fixture.js'
import { sha256, startRepository } from '../helm/repository.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { PinnedChart } from '../managed/managed-options.js'
import { VclusterChart } from '../managed/vcluster-chart.js'
import { isInstalled, moduleOf, shop, startTimed, type TimedTest } from '../module/modules.fixture.js'
import { createManaged, managedNamespaces, placeOfKey } from './managed.fixture.js'
import { kubeconfigs, startManaged } from './start-managed.fixture.js'

const big = { namespace: 'default', name: 'big' }
const place = placeOfKey('default', 'big')
const statusOf = async ({ client }: TimedTest) => (await client.get(workspaces, big)).status

/** Charts are fetched and rendered in time of the machine, so a turn may end too early. */
const reach = (test: Awaited<ReturnType<typeof startManaged>>, condition: () => Promise<boolean>) =>
  until(async () => {
    await test.turn()
    return condition()
  })

const { signal } = new AbortController()
const { VCLUSTER_CHART = '', HELM_ENGINE = '' } = process.env
const skip =
  (VCLUSTER_CHART === '' &&
    'VCLUSTER_CHART is not set: export VCLUSTER_CHART=$(test/vcluster-chart/fetch)') ||
  (HELM_ENGINE === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)')

void t.test(
  'the chart of vcluster itself makes a vcluster that sleeps, wakes and goes',
  { skip },
  async (t) => {
    const chart = await loadChart(VCLUSTER_CHART)
    const test = await startManaged(t, { modules: { managed: { chart }, kubeconfigs } })
    const { client } = test
    await createManaged(client, { ...big, managedCluster: { distro: 'k8s' } })
    await client.create(modules, moduleOf({ workspace: big }))
    const isIn = (phase: string) => async () => (await statusOf(test))?.phase === phase
    await reach(test, isIn('ready'))
    await reach(test, async () => (await test.live()).status?.phase === 'ready')
    t.match(await statusOf(test), {
      phase: 'ready',
      vcluster: 'awake',
      managed: { chart: `vcluster-${chart.metadata.version}` },
    })
    t.ok(await isInstalled(test.inside))
    const config =
      (await client.get(secrets, { ...place, name: 'vc-config-big' })).data?.['config.yaml'] ?? ''
    const text = Buffer.from(config, 'base64').toString()
    t.match(text, new RegExp(`server: https://big\\.${place.namespace}:443`))
    const set = await client.get(statefulSets, place)
    t.match(set.metadata.labels, { app: 'vcluster', release: 'big' })
    for (const kind of [services, serviceAccounts, roles, roleBindings])
      t.not(
        (await client.list(kind as typeof services, { namespace: place.namespace })).items.length,
        0,
        kind.kind,
      )

    const hibernate = async (hibernated: boolean) => {
      await client.patch(workspaces, big, { type: 'merge', body: { spec: { hibernated } } })
      await reach(test, isIn(hibernated ? 'hibernated' : 'ready'))
      return (await client.get(statefulSets, place)).spec?.replicas
    }
    t.equal(await hibernate(true), 0)
    t.match(await statusOf(test), { phase: 'hibernated', vcluster: 'asleep' })
    t.equal(await hibernate(false), 1)
    t.match(await statusOf(test), { phase: 'ready', vcluster: 'awake' })
    t.equal(
      (await new ReleaseStore(client, Date.now).revisions(place.namespace, 'big')).length,
      1,
      'one revision',
    )
    await client.delete(workspaces, big)
    await reach(test, () => client.get(workspaces, big).then(() => false, isNotFound))
    await t.rejects(client.get(modules, shop), { code: 404 })
    t.strictSame(await managedNamespaces(test), [])
  },
)

void t.test('the chart of a repository is fetched once, and installed', async (t) => {
  const repository = await startRepository(t)
  const chart = { repo: repository.url, name: 'web', version: '1.2.0', digest: sha256(repository.archive) }
  const test = await startTimed(t, { modules: { managed: { chart, renderer: codeRenderer } } })
  const isInstalledIn = async (name: string) => {
    await test.pass(0)
    const { namespace } = placeOfKey('default', name)
    const { items } = await test.client.list(configMaps, { namespace })
    return items.some(({ metadata }) => metadata.name === name)
  }
  for (const name of ['big', 'another']) {
    await createManaged(test.client, { ...big, name })
    await until(() => isInstalledIn(name))
  }
  t.strictSame(repository.paths, ['/stable/index.yaml', '/stable/charts/web-1.2.0.tgz'])
})

void t.test('a chart that a repository does not have as it was pinned is refused', async (t) => {
  const another = sha256(Buffer.from('another'))
  const cases: [Partial<PinnedChart>, Parameters<typeof startRepository>[1], RegExp][] = [
    [{ digest: another }, {}, /web-1.2.0.tgz: the digest is sha256-.*, expected/],
    [{}, { digest: () => another }, /web-1.2.0.tgz: the digest is sha256-.*, expected/],
    [{ version: '1.2.1' }, {}, /the repository has no version "1.2.1" of the chart web; it has 1.2.0/],
    [
      {},
      { archiveUrl: 'https://elsewhere.example/web-1.2.0.tgz' },
      /elsewhere.example.*add it to managed.chart.allow/,
    ],
    [
      { allow: ['https://files.example/'] },
      { archiveUrl: 'https://elsewhere.example/web-1.2.0.tgz' },
      /elsewhere.example/,
    ],
    [{}, { authorization: 'Bearer to-ken' }, /index.yaml: the server answered 401, expected 200/],
  ]
  for (const [pinned, more, message] of cases) {
    const { url: repo } = await startRepository(t, more)
    const chart = new VclusterChart({ chart: { repo, name: 'web', version: '1.2.0', ...pinned } })
    await t.rejects(chart.load(signal), { message })
  }
})
