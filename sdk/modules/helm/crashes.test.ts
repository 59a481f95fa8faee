// Tests that a Module with a Helm release ends in the same state after a crash at any write of its operations.

import assert from 'node:assert/strict'
import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import type { Client } from '../../engine/client/client.js'
import { secrets } from '../../engine/kube/builtin.js'
import type { Operator } from '../../operator/operator.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { createWorkspace, definitions, shop } from '../module/modules.fixture.js'
import { moduleControllers } from '../module-controllers.js'
import { createChart, find, helm, helmModule, historyOf, workloadsOf } from './helm.fixture.js'

const values = [{ raw: { only: ['Secret', 'Deployment', 'CronJob'], password: '{{ randBase62 12 }}' } }]
const outputs = [{ name: 'password', valueFrom: { secret: { name: 'web', key: 'password' } } }]
const hibernated = (value: boolean) => ({ type: 'merge', body: { spec: { hibernated: value } } }) as const
const base = {
  register: (operator: Operator) => operator.register(...moduleControllers({ helm })),
  definitions,
  before: async ({ client }: { client: Client }) => {
    await createWorkspace(client)
    await createChart(client)
  },
  writesPerChange: 40,
}

/** The status of the Workspace has times, which a crash changes. */
const lastStep = {
  'its Workspace is deleted': ({ client }: { client: Client }) =>
    client.delete(workspaces, { namespace: 'default', name: 'dev' }),
}

/**
 * Rejects unless the workloads are in a state. A run ends without them, so that each step looks at the one before it.
 */
async function expectWorkloads(client: Client, deployment: number, suspended: boolean): Promise<void> {
  const found = await workloadsOf(client)
  assert.deepEqual([found.deployment, found.suspended], [deployment, suspended])
}

/** Rejects unless the release has the password that was drawn first. */
async function expectPassword(client: Client): Promise<void> {
  const data = async (name: string) => (await find(client, secrets, name))?.data ?? {}
  const text = async (value = '') => Buffer.from(value, 'base64').toString()
  const kept = JSON.parse(await text((await data('shop-manager-data')).metadata))
  const { password = '' } = await data('web')
  assert.deepEqual(Object.values(kept.random), [await text(password)])
  assert.equal((await data('shop-outputs')).password, password)
}

void t.test('a crash before or after any write has the same end', async (t) => {
  const scenario = operatorScenario({
    ...base,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, helmModule({ values, outputs })),
      'its values change': ({ client }) =>
        client.patch(modules, shop, {
          type: 'merge',
          body: { spec: { helm: { values: [{ raw: { ...values[0]?.raw, text: 'two' } }] } } },
        }),
      'it is to sleep': async ({ client }) => {
        assert.deepEqual(await historyOf(client), ['1 superseded', '2 deployed'])
        await expectWorkloads(client, 3, false)
        await expectPassword(client)
        await client.patch(modules, shop, hibernated(true))
      },
      'it is to wake': async ({ client }) => {
        await expectWorkloads(client, 0, true)
        await client.patch(modules, shop, hibernated(false))
      },
      'it is deleted': async ({ client }) => {
        await expectWorkloads(client, 3, false)
        await client.delete(modules, shop)
      },
      ...lastStep,
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  t.ok(writes.length > 30)
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
