// Tests that a fork with data ends in the same state after a crash at any write. Source and copy are installed before.
import assert from 'node:assert/strict'
import t from 'tap'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import type { Operator } from '../../operator/operator.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { createWorkspace, definitions } from '../module/modules.fixture.js'
import { moduleControllers } from '../module-controllers.js'
import {
  copied,
  copiedModule,
  copy,
  createFork,
  createPair,
  dataOfCopy,
  withVolumes,
} from './fork-data.fixture.js'
import { contentOf, forkPods, kubelet, volumeMigration } from './volumes.fixture.js'

void t.test('a crash before or after any write of a fork with data has the same end', async (t) => {
  const { play, reset } = kubelet()
  const scenario = operatorScenario({
    register: (operator: Operator) => operator.register(...moduleControllers(withVolumes)),
    definitions,
    before: async ({ client }) => {
      reset()
      await createWorkspace(client, { hibernated: true })
      await createPair(client, volumeMigration)
    },
    simulate: play,
    writesPerChange: 60,
    owns: ({ metadata }) => /^(fork-data|web-copy)/.test(metadata.name ?? ''),
    steps: {
      'a fork is created': (clusters) => createFork(clusters),
      'it is complete': async ({ client }) => {
        assert.deepEqual(await dataOfCopy(client), copied)
        assert.equal(contentOf('data-web-copy-0'), 'files of data-web-0')
        assert.deepEqual(await forkPods(client), [])
        const { status } = await client.get(workspaces, copy)
        assert.deepEqual([status?.phase, status?.fork?.phase], ['ready', 'done'])
        const made = await client.get(modules, { ...copy, name: copiedModule })
        assert.equal(made.status?.phase, 'ready')
      },
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'] })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
