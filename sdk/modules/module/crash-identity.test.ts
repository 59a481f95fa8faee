// A crash at any write: the calls of an operation have one `operationId`, and each but the first says that there was a
// crash.

import assert from 'node:assert/strict'
import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { modules } from '../kinds/module-kind.js'
import type { OperationKind } from '../manager/manager.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  type NotedCall,
  NotingProgram,
  registering,
  shop,
} from './modules.fixture.js'

const noting = new NotingProgram()
/** A checkpoint, so that there are writes while the call runs. */
const saving =
  (key: string) =>
  async ({ metaData }: NotedCall) => {
    metaData.set(key, true)
    await metaData.save()
  }
noting.behaviour = {
  install: saving('installed'),
  sleep: saving('slept'),
  resume: saving('resumed'),
  uninstall: saving('uninstalled'),
}
/** How often each operation was called more than once. */
const repeated: Partial<Record<OperationKind, number>> = {}

function checkCalls(): void {
  for (const kind of ['install', 'sleep', 'resume', 'uninstall'] as const) {
    const calls = noting.calls.filter((call) => call.kind === kind)
    const text = noting.texts.join(', ')
    assert.equal(
      new Set(calls.map(({ ctx }) => ctx.operationId)).size,
      1,
      `${kind} is one operation: ${text}`,
    )
    const [, ...again] = calls.map(({ ctx }) => ctx.reason)
    for (const reason of again)
      assert.equal(reason, 'crash', `${kind} is repeated because of the crash: ${text}`)
    if (again.length > 0) repeated[kind] = (repeated[kind] ?? 0) + 1
  }
}

const patch = (hibernated: boolean) => ({ type: 'merge', body: { spec: { hibernated } } }) as const

void t.test(
  'a crash at any write repeats the same operation, and its manager sees that there was one',
  async (t) => {
    const scenario = operatorScenario({
      register: registering(noting),
      definitions,
      before: async ({ client }) => {
        noting.calls.length = 0
        await createWorkspace(client)
      },
      writesPerChange: 12,
      steps: {
        'a Module is created': ({ client }) => client.create(modules, moduleOf()),
        'it is to sleep': ({ client }) => client.patch(modules, shop, patch(true)),
        'it is to wake': ({ client }) => client.patch(modules, shop, patch(false)),
        'it is deleted': ({ client }) => client.delete(modules, shop),
        'its calls were those of four operations': async () => checkCalls(),
      },
    })
    const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
    t.strictSame(missed, [], 'every crash was injected')
    for (const [kind, times] of Object.entries(repeated))
      t.ok(times > 0, `${kind} was repeated in ${times} runs`)
    t.strictSame(Object.keys(repeated).sort(), ['install', 'resume', 'sleep', 'uninstall'])
    t.comment(`${writes.length} writes, ${runs} crashes`)
  },
)
