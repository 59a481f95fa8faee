// A Module is deleted while its program ignores the signal of `install`.
import t from 'tap'
import { until } from '../../../test/until.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, shop, startTimed } from './modules.fixture.js'

const looping = `
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }
export default {
  name: 'looping', version: '1.0.0', sdk: '*',
  newManager: ({ cluster }) => ({
    async install(ctx, metaData) {
      await cluster.apply([object])
      metaData.set('made', true)
      await metaData.save()
      for (;;);
    },
    uninstall: () => cluster.delete([object]),
    sleep() {}, resume() {},
  }),
}`

void t.test(
  'an install that ignores its signal ends within ten seconds of a deletion, and is undone',
  async (t) => {
    const test = await startTimed(t, { modules: { programs: { allow: [], cacheFolder: t.testdir() } } })
    const at = { namespace: 'default', name: 'looping' }
    await test.client.create(configMaps, { metadata: at, data: { plugin: looping } })
    const custom = { program: { configMap: { name: 'looping' } } } as never
    await test.client.create(modules, moduleOf({ source: undefined, custom }))
    const passes = async (isTrue: () => Promise<boolean>) =>
      until(async () => {
        await test.clock.advance(5)
        return isTrue()
      })
    await passes(async () =>
      /made/.test((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'] ?? ''),
    )
    await test.client.delete(modules, shop)
    await until(
      async () => test.operator.isIdle() || (await test.live()).metadata.deletionTimestamp !== undefined,
    )
    for (let turn = 0; turn < 50; turn++) await test.clock.settle()
    await test.clock.advance(9_900)
    for (let turn = 0; turn < 50; turn++) await test.clock.settle()
    t.match((await test.live()).status, { phase: 'installing', operation: { kind: 'install' } })
    t.ok(await test.client.get(configMaps, { namespace: 'default', name: 'made' }))
    const atMs = test.clock.now()
    await passes(() =>
      test.live().then(
        () => false,
        () => true,
      ),
    )
    t.ok(test.clock.now() - atMs < 15_000, 'and the uninstallation does not wait longer')
    await t.rejects(test.client.get(configMaps, { namespace: 'default', name: 'made' }), { code: 404 })
  },
)
