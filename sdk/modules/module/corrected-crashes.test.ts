import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { modules } from '../kinds/module-kind.js'
import { byName } from './by-name.fixture.js'
import { createWorkspace, definitions, moduleOf, registering, shop } from './modules.fixture.js'

void t.test('a crash before or after any write of a corrected installation has the same end', async (t) => {
  const noting = byName()
  const scenario = operatorScenario({
    register: registering(noting),
    definitions,
    before: ({ client }) => createWorkspace(client),
    writesPerChange: 20,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf({ config: { app: 'wrong' } })),
      'it is corrected': ({ client }) =>
        client.patch(modules, shop, { type: 'merge', body: { spec: { config: { app: 'right' } } } }),
      'it is deleted': async ({ client }) => {
        const { status } = await client.get(modules, shop)
        if (status?.phase !== 'ready') throw new Error(`the Module is ${status?.phase}`)
        await client.delete(modules, shop)
      },
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
