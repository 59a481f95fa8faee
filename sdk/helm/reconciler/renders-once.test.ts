// Tests how often a chart is rendered: it is the largest part of the CPU time of a run.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import { chartOfFiles } from '../chart/chart-of-files.js'
import { manifestOf } from '../render/print-manifest.js'
import { recordedChart } from '../render/recorded-chart.js'
import type { ChartRenderer, LookupQuery } from '../render/renderer.js'
import { configMap } from './greetings.fixture.js'
import { create, edit, find, history, start, until } from './reconciled.fixture.js'

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

void t.test('an upgrade renders once, and a run with nothing to do not at all', async (t) => {
  const renderer = countingRenderer()
  const test = await start(t, { chart, renderer, reconcilePeriodMs: 200 })
  await create(test, { text: 'a' })
  await until(async () => (await history(test)).includes('1 deployed'))
  await sleep(500)
  t.equal(renderer.count, 1, 'the installation')
  await sleep(1_000)
  t.equal(renderer.count, 1, 'five periods')
  await edit(test, { spec: { text: 'b' } })
  await until(async () => (await history(test)).includes('2 deployed'))
  await sleep(500)
  t.equal(renderer.count, 2, 'the upgrade')
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello' })
  await until(async () => (await find(test, configMaps)) !== undefined)
  t.match(await find(test, configMaps), { data: { text: 'b' } })
  t.equal(renderer.count, 2, 'drift')
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})

void t.test('what lookup reads is an input', async (t) => {
  const renderer = countingRenderer()
  const test = await start(t, { chart, renderer, reconcilePeriodMs: 200 })
  await create(test, { text: 'a' })
  await until(async () => (await history(test)).includes('1 deployed'))
  await sleep(500)
  t.match(await find(test, configMaps), { data: { seen: 'undefined' } })
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'seen' },
    data: { text: 'x' },
  })
  await until(async () => (await find(test, configMaps))?.data?.seen === 'x')
  await sleep(500)
  const { count } = renderer
  await sleep(1_000)
  t.equal(renderer.count, count)
})

void t.test('an own object that lookup finds after the installation changes nothing', async (t) => {
  const renderer = lookingRenderer()
  const test = await start(t, { chart, renderer, reconcilePeriodMs: 200 })
  await create(test, { text: 'a' })
  await until(async () => (await history(test)).includes('1 deployed'))
  await sleep(1_000)
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'a', before: 'absent' } })
  t.equal(renderer.count, 1)
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello' })
  await until(async () => (await find(test, configMaps)) !== undefined)
  await sleep(500)
  t.strictSame(await history(test), ['1 deployed'], 'drift')
  await edit(test, { spec: { text: 'b' } })
  await until(async () => (await history(test)).includes('2 deployed'))
  t.match(await find(test, configMaps), { data: { text: 'b', before: 'there' } }, 'an upgrade looks it up')
  await sleep(1_000)
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})
