// Tests that the renderers of a program share one engine, and that a template that never ends holds up no other tenant.
import t from 'tap'
import { chartOfFiles } from '../../chart/chart-of-files.js'
import type { RenderRequest } from '../renderer.js'
import { engineRenderer } from './engine-renderer.js'
import { openEngine } from './shared-engine.js'

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'
const signal = new AbortController().signal

const requestOf = async (template: string, tenant: string): Promise<RenderRequest> => ({
  chart: await chartOfFiles(
    [
      { name: 'Chart.yaml', data: Buffer.from('apiVersion: v2\nname: demo\nversion: 1.0.0\n') },
      {
        name: 'templates/a.yaml',
        data: Buffer.from(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${template}}\n`),
      },
    ],
    'demo',
  ),
  values: {},
  capabilities: { kubeVersion: 'v1.36.3', apiVersions: ['v1'] },
  tenant,
  release: { name: 'demo', namespace: 'ns', revision: 1, isInstall: true },
})
const endless = '{{ range $i := until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}a'

void t.test('renderers share the engine, and the last one ends it', { skip }, async (t) => {
  const [one, other] = await Promise.all([openEngine(engine, 64), openEngine(engine, 64)])
  t.equal(one.pool, other.pool)
  t.not((await openEngine(engine, 65)).pool, one.pool, 'another limit of memory is another engine')
  await one.close()
  await one.close()
  t.equal((await openEngine(engine, 64)).pool, other.pool, 'a second close changes nothing')
})

void t.test('templates that never end hold up no other tenant', { skip }, async (t) => {
  const renderer = await engineRenderer({ engine, timeoutMs: 200_000 })
  t.teardown(() => renderer.close())
  const enough = new AbortController()
  const looping = Array.from({ length: 4 }, async () =>
    renderer.render(await requestOf(endless, 'a'), enough.signal),
  )
  let ended = 0
  for (const one of looping)
    one.then(
      () => ended++,
      () => ended++,
    )
  const fast = await Promise.all(
    ['b', 'c', 'd'].map(async (tenant) => renderer.render(await requestOf(tenant, tenant), signal)),
  )
  t.strictSame(
    fast.map(({ objects }) => objects[0]?.object.metadata.name),
    ['b', 'c', 'd'],
  )
  t.equal(ended, 0, 'the others are rendered while these go on')
  enough.abort(new Error('given up'))
  for (const one of looping) await t.rejects(one, /given up/)
})

void t.test('a rendering that has not begun can be given up', { skip }, async (t) => {
  const renderer = await engineRenderer({ engine, timeoutMs: 500 })
  t.teardown(() => renderer.close())
  const looping = [1, 2, 3].map(async () => renderer.render(await requestOf(endless, 'a'), signal))
  const ended = Promise.allSettled(looping)
  const abort = new AbortController()
  const waiting = renderer.render(await requestOf('a', 'a'), abort.signal)
  abort.abort(new Error('given up'))
  await t.rejects(waiting, /given up/)
  await ended
  for (const one of looping)
    await t.rejects(
      one,
      { message: /^the chart was not rendered within 0\.5 s; .* timeoutMs of engineRenderer$/ },
      'each has its own time',
    )
})
