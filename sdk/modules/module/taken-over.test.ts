// Modules that another operator has installed are taken over in each of their phases.
import t from 'tap'
import type { ModulePhase } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, shop, startModules, startTimed, type TimedTest } from './modules.fixture.js'

/**
 * A Module as the other operator left it: with the definition and the metadata, and without a record of its operation.
 */
async function leave(t: Parameters<typeof startModules>[0], phase: ModulePhase, hibernated: boolean) {
  const { client, server, operator } = await startModules(t)
  await operator.stop()
  const module = moduleOf({ hibernated })
  const annotations = {
    'forkspacer.com/resource': JSON.stringify({ kind: 'Noting', metadata: { name: 'old' } }),
    'forkspacer.com/manager-data': '{"installed":"shop-installed"}',
  }
  await client.create(modules, {
    ...module,
    metadata: { ...module.metadata, finalizers: ['delete'], annotations },
  })
  const body = { status: { phase, source: 'Custom' } }
  await client.patch(modules, shop, { type: 'merge', subresource: 'status', body })
  return startTimed(t, { servers: { main: server } })
}

/** The calls for each phase, if the Module is to be awake, and if it is to sleep. */
const cases: [phase: ModulePhase, awake: string[], asleep: string[]][] = [
  ['ready', [], ['sleep 1 first']],
  ['sleeping', ['resume 1 first'], ['sleep 1 first']],
  ['sleeped', ['resume 1 first'], []],
  ['resuming', ['resume 1 first'], ['sleep 1 first']],
  // It is not known whether their installation has ended, so it goes on.
  ['installing', ['install 1 first'], ['install 1 first', 'sleep 1 first']],
  ['failed', ['install 1 first'], ['install 1 first', 'sleep 1 first']],
]

async function check(t: Tap, test: TimedTest, calls: string[], phase: ModulePhase) {
  await test.pass(10)
  t.strictSame(test.noting.texts, calls)
  const taken = await test.live()
  t.strictSame(taken.metadata.finalizers, ['forkspacer.com/module'])
  t.equal(taken.status?.phase, phase)
  for (const { metaData } of test.noting.calls)
    t.equal(metaData.decodeToString('installed'), 'shop-installed', 'with the metadata')
  await test.client.delete(modules, shop)
  await test.pass(10)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(test.noting.texts, [...calls, 'uninstall 1 first'])
}
type Tap = Pick<typeof t, 'strictSame' | 'equal' | 'rejects'>

for (const [phase, awake, asleep] of cases)
  void t.test(`a Module that another operator left ${phase} is taken over`, async (t) => {
    await check(t, await leave(t, phase, false), awake, 'ready')
    await check(t, await leave(t, phase, true), asleep, 'sleeped')
  })
