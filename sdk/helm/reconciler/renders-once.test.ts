// Tests how often a chart is rendered: it is the largest part of the CPU time of a run.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { chartOfFiles } from '../chart/chart-of-files.js'
import { manifestOf } from '../render/print-manifest.js'
import { recordedChart } from '../render/recorded-chart.js'
import type { ChartRenderer, LookupQuery } from '../render/renderer.js'
import { configMap } from './greetings.fixture.js'
import { create, edit, find, history, start } from './reconciled.fixture.js'

const file = (name: string, text: string) => ({ name, data: Buffer.from(text) })
const chart = await chartOfFiles(
  [file('Chart.yaml', 'apiVersion: v2\nname: counted\nversion: 1.0.0\n'), file('templates/a.yaml', '')],
  'counted',
)
const query: LookupQuery = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'seen' }

/** Renders a ConfigMap with a value, and with what `lookup` finds. */
function countingRenderer(): ChartRenderer & { count: number } {
  return {
    name: 'test',
    count: 0,
    mayReuse: true,
    close: async () => {},
    async render({ release, values, lookup }, signal) {
      this.count += 1
      const seen = (await lookup?.(query, signal)) as { data?: { text?: string } } | undefined
      const data = { text: String(values.text), seen: String(seen?.data?.text) }
      const objects = [{ source: 'counted/templates/a.yaml', object: configMap(release.name, data) }]
      const manifest = await manifestOf(objects)
      return { objects, manifest, hooks: [], crds: [], notes: '', chart: recordedChart(chart) }
    },
  }
}

/** Renders a ConfigMap that says whether it was there before. */
function lookingRenderer(): ChartRenderer & { count: number } {
  const counting = countingRenderer()
  return {
    ...counting,
    async render(request, signal) {
      this.count += 1
      const own = { ...query, name: request.release.name }
      const found = await request.lookup?.(own, signal)
      const data = { text: String(request.values.text), before: found ? 'there' : 'absent' }
      const objects = [{ source: 'counted/templates/a.yaml', object: configMap(request.release.name, data) }]
      return { ...(await counting.render(request, signal)), objects, manifest: await manifestOf(objects) }
    },
  }
}

const periodMs = 60_000

/** Starts an operator with a clock of its own, and `pass`, which lets periods pass one by one. */
async function startWithClock(t: Test, renderer: ChartRenderer) {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  const test = await start(t, { chart, renderer, reconcilePeriodMs: periodMs }, { clock, servers })
  // A run may wait for a timer, such as that of a limit of calls, so time passes while it goes on.
  const settled = async () => {
    let isSettled = false
    const end = test.settled().finally(() => {
      isSettled = true
    })
    while (!isSettled) await clock.advance(1)
    await end
  }
  const pass = async (periods: number) => {
    await settled()
    for (let i = 0; i < periods; i++) {
      await clock.advance(periodMs)
      await settled()
    }
  }
  return { test, pass }
}

void t.test('an upgrade renders once, and a run with nothing to do not at all', async (t) => {
  const renderer = countingRenderer()
  const { test, pass } = await startWithClock(t, renderer)
  await create(test, { text: 'a' })
  await pass(2)
  t.strictSame(await history(test), ['1 deployed'])
  t.equal(renderer.count, 1, 'the installation')
  await pass(5)
  t.equal(renderer.count, 1, 'five periods')
  await edit(test, { spec: { text: 'b' } })
  await pass(2)
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.equal(renderer.count, 2, 'the upgrade')
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello' })
  await pass(2)
  t.match(await find(test, configMaps), { data: { text: 'b' } })
  t.equal(renderer.count, 2, 'drift')
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})

void t.test('what lookup reads is an input', async (t) => {
  const renderer = countingRenderer()
  const { test, pass } = await startWithClock(t, renderer)
  await create(test, { text: 'a' })
  await pass(2)
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await find(test, configMaps), { data: { seen: 'undefined' } })
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'seen' },
    data: { text: 'x' },
  })
  await pass(2)
  t.equal((await find(test, configMaps))?.data?.seen, 'x')
  const { count } = renderer
  await pass(5)
  t.equal(renderer.count, count)
})

void t.test('an own object that lookup finds after the installation changes nothing', async (t) => {
  const renderer = lookingRenderer()
  const { test, pass } = await startWithClock(t, renderer)
  await create(test, { text: 'a' })
  await pass(5)
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'a', before: 'absent' } })
  t.equal(renderer.count, 1)
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello' })
  await pass(2)
  t.ok(await find(test, configMaps))
  t.strictSame(await history(test), ['1 deployed'], 'drift')
  await edit(test, { spec: { text: 'b' } })
  await pass(1)
  t.match(await find(test, configMaps), { data: { text: 'b', before: 'there' } }, 'an upgrade looks it up')
  await pass(5)
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})
