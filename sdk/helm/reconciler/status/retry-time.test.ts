// Tests when a release is tried again whose problem is not that of its object.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import { RenderError, type RenderErrorReason } from '../../render/render-error.js'
import type { ChartRenderer, LookupQuery } from '../../render/renderer.js'
import { chart, configMap, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

/** Starts an operator whose clock a test moves. */
async function startStill(t: Test, options: Partial<HelmControllerOptions>, isRestricted = false) {
  const clock = new VirtualClock()
  const main = await createApiServer({ clock, ...(isRestricted && { authorization: 'rbac' }) })
  const more = { clock, servers: { main }, ...(isRestricted && { permissions: 'declared' as const }) }
  return { clock, test: await start(t, { reconcilePeriodMs: 0, ...options }, more) }
}
const inDefault = (name: string): KubeObject => ({ metadata: { namespace: 'default', name } })
const reasonOf = async (test: TestOperator) => (await conditionOf(test, 'Irreconcilable'))?.reason
const isDeployed = (test: TestOperator) => until(async () => (await history(test)).includes('1 deployed'))

void t.test('a release goes on as soon as the objects in its way are gone', async (t) => {
  const { test } = await startStill(t, {}, true)
  for (const name of ['hello', 'hello-a']) await test.client.create(configMaps, inDefault(name))
  await create(test, { text: 'one', more: ['a'] })
  await until(async () => (await reasonOf(test)) === 'NotOurs')
  await test.client.delete(configMaps, key)
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.message.includes('hello-a') === true)
  await test.client.delete(configMaps, { ...key, name: 'hello-a' })
  await isDeployed(test)
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.strictSame(await eventsOf(test, 'WatchForbidden'), [])
})

void t.test('or as soon as they belong to it', async (t) => {
  const { test } = await startStill(t, {})
  await test.client.create(configMaps, inDefault('hello'))
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'NotOurs')
  const annotations = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
  await test.client.patch(configMaps, key, { type: 'merge', body: { metadata: { labels, annotations } } })
  await isDeployed(test)
})

void t.test('one whose name another program has goes on when the records are gone', async (t) => {
  const { test } = await startStill(t, { adopt: 'never' })
  const store = new ReleaseStore(test.client, Date.now)
  const empty = {
    metadata: { name: 'other' },
    lock: null,
    templates: [],
    values: {},
    schema: null,
    files: [],
  }
  const info = { status: 'deployed' } as const
  const release = { name: 'hello', namespace: 'default', version: 1, info, chart: empty, config: {} }
  const record = await store.create({ release: { ...release, manifest: '', hooks: [] }, labels: {} })
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'ReleaseNameTaken')
  await store.delete(record)
  await isDeployed(test)
})

/** A chart whose rendering fails until a ConfigMap has the data `ready`. */
async function waitingChart(query: Partial<LookupQuery>): Promise<ChartRenderer> {
  const inner = await defaultRenderer([chart])
  return {
    name: inner.name,
    close: () => inner.close(),
    async render(request, signal) {
      const asked = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: '', ...query }
      const answer = (await request.lookup?.(asked, signal)) as
        | (KubeObject & { data?: { ready?: string }; items?: { data?: { ready?: string } }[] })
        | undefined
      const found = answer?.items ?? (answer ? [answer] : [])
      if (!found.some(({ data }) => data?.ready)) throw new RenderError('RenderError', 'not ready')
      return inner.render(request, signal)
    },
  }
}

void t.test('a rendering that failed is repeated when an object changes that lookup read', async (t) => {
  for (const query of [{ name: 'needed' }, {}]) {
    const { test, clock } = await startStill(t, { renderer: await waitingChart(query) })
    await create(test, { text: 'one' })
    await until(async () => (await reasonOf(test)) === 'RenderError')
    await test.settled()
    await clock.advance(3_000)
    await test.client.create(configMaps, inDefault('needed'))
    await test.settled()
    await clock.advance(3_000)
    await test.client.patch(
      configMaps,
      { ...key, name: 'needed' },
      { type: 'merge', body: { data: { ready: 'yes' } } },
    )
    await test.settled()
    await clock.advance(3_000)
    await isDeployed(test)
    await test.stop()
  }
})

void t.test('objects that templates look up cause at most one run in three seconds', async (t) => {
  let runs = 0
  const inner = await waitingChart({ name: 'needed' })
  const render: ChartRenderer['render'] = (...given) => {
    runs++
    return inner.render(...given)
  }
  const { test, clock } = await startStill(t, { renderer: { ...inner, render } })
  await test.client.create(configMaps, inDefault('needed'))
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'RenderError')
  await test.settled()
  const before = runs
  for (let at = 0; at < 10; at++) {
    const body = { data: { at: String(at) } }
    await test.client.patch(configMaps, { ...key, name: 'needed' }, { type: 'merge', body })
    await test.settled()
  }
  await clock.advance(3_000)
  await test.settled()
  t.ok(runs - before <= 2, `${runs - before} runs`)
})

/** A chart that fails for a reason as long as `isBroken` says so. Counts its renderings. */
function failing(reason: RenderErrorReason) {
  const state = { isBroken: true, renderings: 0 }
  const made = functionChart({ name: 'failing', version: '1.0.0' }, ({ text }, { name }) => {
    state.renderings++
    if (state.isBroken) throw new RenderError(reason, 'it is broken')
    return [configMap(name, { text: String(text) })]
  })
  return { state, made }
}

void t.test('a rendering that failed is repeated after the reconcile period', async (t) => {
  const { state, made } = failing('RenderError')
  const { test, clock } = await startStill(t, { chart: made, reconcilePeriodMs: 30_000 })
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'RenderError')
  await test.settled()
  state.isBroken = false
  await clock.advance(29_000)
  t.strictSame(await history(test), [])
  await clock.advance(1_000)
  await isDeployed(test)
})

void t.test('without a period, it is repeated after ten minutes', async (t) => {
  const { state, made } = failing('RenderError')
  const { test, clock } = await startStill(t, { chart: made })
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'RenderError')
  await test.settled()
  state.isBroken = false
  await clock.advance(600_000)
  await isDeployed(test)
})

/** How often the newest revision was tried. */
const attempts = async ({ client }: TestOperator) =>
  (await new ReleaseStore(client, Date.now).revisions('default', 'hello')).at(-1)?.written?.attempt

void t.test('a field that no API server takes is tried again after ten minutes, or a change', async (t) => {
  const typed = functionChart({ name: 'typed', version: '1.0.0' }, ({ text }, { name }) => [
    configMap(name, { text }),
  ])
  const { test, clock } = await startStill(t, { chart: typed })
  await create(test, { text: { of: 'value' } })
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  await test.settled()
  const problem =
    'ConfigMap default/hello (v1): cannot be applied: data.text must be a string; correct it in the values or the chart'
  t.match(await conditionOf(test, 'ReleaseFailed'), { reason: 'InstallError', message: problem })
  for (let at = 0; at < 20; at++) {
    await clock.advance(20_000)
    await test.settled()
  }
  t.equal(await attempts(test), 1)
  t.strictSame(await eventsOf(test, 'InstallFailed'), [`hello: ${problem}`])
  await clock.advance(200_000)
  await until(async () => (await attempts(test)) === 2)
  await edit(test, { spec: { text: 'one' } })
  await until(async () => (await history(test)).includes('2 deployed'))
})

void t.test('a field that no API server takes is rolled back, or uninstalled', async (t) => {
  const typed = functionChart({ name: 'typed', version: '1.0.0' }, ({ text }, { name }) => [
    configMap(name, { text }),
  ])
  const upgraded = await startStill(t, { chart: typed })
  await create(upgraded.test, { text: 'one' })
  await until(async () => (await history(upgraded.test)).includes('1 deployed'))
  await edit(upgraded.test, { spec: { text: { of: 'value' } } })
  await until(async () => {
    await upgraded.clock.advance(1000)
    return (await history(upgraded.test)).includes('3 deployed')
  })
  await until(async () => (await eventsOf(upgraded.test, 'UpgradeFailed')).length === 1)

  const two = functionChart({ name: 'typed', version: '1.0.0' }, ({ text }, { name }) => [
    configMap(`${name}-a`, { text: 'one' }),
    configMap(`${name}-b`, { text }),
  ])
  const installed = await startStill(t, { chart: two, onFailure: 'uninstall' })
  await create(installed.test, { text: { of: 'value' } })
  await until(async () => (await conditionOf(installed.test, 'ReleaseFailed'))?.status === 'True')
  const applied = () => installed.test.client.list(configMaps, { namespace: 'default' })
  await until(async () => {
    await installed.clock.advance(1000)
    return !(await applied()).items.some(({ metadata }) => metadata.name === 'hello-a')
  })
})

void t.test('values that the chart refuses wait for a change, unless code makes them', async (t) => {
  const renderings = async (options: Partial<HelmControllerOptions>) => {
    const { state, made } = failing('InvalidValues')
    const { test, clock } = await startStill(t, { chart: made, reconcilePeriodMs: 30_000, ...options })
    await create(test, { text: 'one' })
    await until(async () => (await reasonOf(test)) === 'InvalidValues')
    await test.settled()
    await clock.advance(90_000)
    await test.settled()
    const made3 = state.renderings
    state.isBroken = false
    await edit(test, { spec: { text: 'two' } })
    await isDeployed(test)
    await test.stop()
    return made3
  }
  t.equal(await renderings({}), 1)
  t.equal(await renderings({ mapValues: (values) => values }), 4)
})

void t.test('a deletion that failed for good is tried again, too', async (t) => {
  let isBroken = true
  const preUninstallHooks = [
    () => {
      if (isBroken) throw new RenderError('RenderError', 'it is broken')
    },
  ]
  const { test, clock } = await startStill(t, { preUninstallHooks })
  await create(test, { text: 'one' })
  await isDeployed(test)
  await test.client.delete(greetings, key)
  await until(async () => (await reasonOf(test)) === 'RenderError')
  await test.settled()
  isBroken = false
  await clock.advance(600_000)
  await until(async () => (await find(test, greetings)) === undefined)
})

void t.test('a Secret of another type with the name of a record is reported, and waited for', async (t) => {
  const { test } = await startStill(t, {})
  const name = 'sh.helm.release.v1.hello.v1'
  await test.client.create(secrets, { metadata: { namespace: 'default', name }, type: 'Opaque' })
  await create(test, { text: 'one' })
  await until(async () => (await reasonOf(test)) === 'NotOurs')
  t.match(await conditionOf(test, 'Irreconcilable'), {
    message:
      /^the Secret default\/sh\.helm\.release\.v1\.hello\.v1 has the name of a record .* type Opaque .*; delete it$/,
  })
  t.match(await eventsOf(test, 'NotOurs'), [/delete it/])
  await test.client.delete(secrets, { namespace: 'default', name })
  await isDeployed(test)
})
