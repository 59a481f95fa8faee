// An upgrade, interrupted by a crash at each of its writes.

import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { modules } from '../kinds/module-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  type NotedCall,
  NotingProgram,
  registering,
  shop,
} from './modules.fixture.js'

const objectOf = (size: unknown) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'size' },
  data: { size: String(size) },
})

const befores = new Map<string, Set<unknown>>()
const noting = new NotingProgram()
noting.behaviour = {
  install: ({ cluster, config }: NotedCall) => cluster.apply([objectOf(config.size)]),
  upgrade: async ({ ctx, cluster, config, metaData, before }: NotedCall) => {
    const known = befores.get(ctx.operationId) ?? new Set()
    befores.set(ctx.operationId, known.add(JSON.stringify(before)))
    metaData.set('from', JSON.stringify(before))
    await metaData.save()
    await cluster.apply([objectOf(config.size)])
  },
  uninstall: ({ cluster, config }: NotedCall) => cluster.delete([objectOf(config.size)]),
}

void t.test('a crash before or after any write of an upgrade has the same end', async (t) => {
  const scenario = operatorScenario({
    register: registering(noting),
    definitions,
    before: ({ client }) => createWorkspace(client),
    writesPerChange: 12,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf({ config: { size: 1 } })),
      'its configuration changes': async ({ client }) => {
        // A change before the installation would be part of it.
        const { status } = await client.get(modules, shop)
        if (status?.phase !== 'ready') throw new Error('the Module is not ready')
        await client.patch(modules, shop, { type: 'merge', body: { spec: { config: { size: 2 } } } })
      },
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  const several = [...befores.values()].filter(({ size }) => size > 1)
  t.strictSame(several, [], 'each attempt of an upgrade had the same former configuration')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
