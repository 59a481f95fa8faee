// A Module that was never installed takes a corrected spec, and leaves nothing of its former definition behind.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import { PermanentError } from '../../engine/kube/error.js'
import { modules } from '../kinds/module-kind.js'
import type { Program } from '../manager/program.js'
import { byName } from './by-name.fixture.js'
import { definitionAnnotation, frozenDefinition } from './definition/definition.js'
import { moduleOf, shop, startTimed } from './modules.fixture.js'

const isThere = ({ client }: Pick<Awaited<ReturnType<typeof startTimed>>, 'client'>, app: string) =>
  client.get(configMaps, { namespace: 'default', name: `made-${app}` }).then(
    () => true,
    () => false,
  )
const valuesOf = async ({ live }: Awaited<ReturnType<typeof startTimed>>) =>
  (await frozenDefinition((await live()).metadata))?.values

void t.test('a corrected configuration is installed after the former one was uninstalled', async (t) => {
  const test = await startTimed(t)
  test.noting.behaviour = byName().behaviour
  await test.client.create(modules, moduleOf({ config: { app: 'wrong' } }))
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'failed', message: 'the app is wrong' })
  await test.change({ config: { app: 'right' } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(test.noting.texts, ['install 1 first', 'uninstall 1 changed', 'install 1 first'])
  t.strictSame(
    test.noting.calls.map(({ config }) => config.app),
    ['wrong', 'wrong', 'right'],
    'uninstalled by what had begun',
  )
  t.strictSame([await isThere(test, 'wrong'), await isThere(test, 'right')], [false, true])
  const { metadata } = await test.live()
  t.strictSame(
    JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''),
    { wrong: true, right: true },
    'metadata is kept',
  )
  t.strictSame(await valuesOf(test), { app: 'right' })
  await test.change({ config: { app: 'other' } })
  await test.pass(0)
  t.strictSame(await valuesOf(test), { app: 'right' }, 'an installed Module keeps its definition')
})

void t.test(
  'the former definition is uninstalled until that succeeds, and only then the next begins',
  async (t) => {
    const test = await startTimed(t)
    let left = 2
    const { install = () => {}, uninstall } = byName().behaviour
    test.noting.behaviour.install = install
    test.noting.behaviour.uninstall = (call) => {
      if (left-- > 0) throw new PermanentError('still in use')
      return uninstall?.(call)
    }
    await test.client.create(modules, moduleOf({ config: { app: 'wrong' } }))
    await test.pass(0)
    await test.change({ config: { app: 'right' } })
    await test.pass(0)
    t.match((await test.live()).status, { phase: 'uninstalling', message: 'still in use' })
    await test.pass(4_000)
    t.match((await test.live()).status, { phase: 'ready' })
    t.strictSame(test.noting.texts, [
      'install 1 first',
      'uninstall 1 changed',
      'uninstall 2 retry',
      'uninstall 3 retry',
      'install 1 first',
    ])
  },
)

void t.test('a definition whose manager was never made is replaced without a call of it', async (t) => {
  const noting = byName()
  const broken = {
    ...noting.program,
    newManager: () => {
      throw new PermanentError('this program is broken')
    },
  } satisfies Program
  const test = await startTimed(t, { modules: { builtIn: { Broken: broken, Noting: noting.program } } })
  const source = { raw: { kind: 'Broken' } }
  await test.client.create(modules, moduleOf({ source, config: { app: 'right' } }))
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'failed', message: 'this program is broken' })
  await test.change({ source: { raw: { kind: 'Noting' } } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready', source: 'Noting' })
  t.strictSame(noting.texts, ['install 2 changed'])
})

void t.test('a Module that no manager was called for is deleted without a call', async (t) => {
  const noting = byName()
  const newManager = () => {
    throw new PermanentError('this program is broken')
  }
  const test = await startTimed(t, { modules: { builtIn: { Noting: { ...noting.program, newManager } } } })
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  t.match((await test.live()).metadata.annotations?.[definitionAnnotation], /"pending":true/)
  await test.client.delete(modules, shop)
  await test.pass(0)
  await t.rejects(test.live(), { code: 404 })
})

void t.test('a deletion while the former definition is uninstalled needs no other call', async (t) => {
  const test = await startTimed(t)
  const { install = () => {}, uninstall } = byName().behaviour
  let isBlocked = true
  test.noting.behaviour.install = install
  test.noting.behaviour.uninstall = (call) => {
    if (isBlocked) throw new Error('still in use')
    return uninstall?.(call)
  }
  await test.client.create(modules, moduleOf({ config: { app: 'wrong' } }))
  await test.pass(0)
  await test.change({ config: { app: 'right' } })
  await test.pass(0)
  isBlocked = false
  await test.client.delete(modules, shop)
  await test.pass(10_000)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame([await isThere(test, 'wrong'), await isThere(test, 'right')], [false, false])
  t.notOk(test.noting.calls.some(({ config }) => config.app === 'right'))
})

void t.test('the definition in a ConfigMap may be corrected, too', async (t) => {
  const test = await startTimed(t)
  test.noting.behaviour = byName().behaviour
  const at = { namespace: 'default', name: 'definition' }
  const textOf = (app: string) => ({
    'module.yaml': `kind: Noting\nconfig:\n- name: App\n  alias: app\n  string: {default: ${app}}\n`,
  })
  await test.client.create(configMaps, { metadata: at, data: textOf('wrong') })
  await test.client.create(modules, moduleOf({ source: { configMap: { name: 'definition' } } } as never))
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'failed', message: 'the app is wrong' })
  await test.client.patch(configMaps, at, { type: 'merge', body: { data: textOf('right') } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame([await isThere(test, 'wrong'), await isThere(test, 'right')], [false, true])
})
