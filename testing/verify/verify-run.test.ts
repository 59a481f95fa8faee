import t from 'tap'
import type { ScenarioRun } from '../scenario/run-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import { verifyReference, verifyRun } from './verify-run.js'

const write = (plural: string) => ({
  cluster: 'host',
  method: 'POST',
  target: { collection: `/api/v1/${plural}`, plural, namespace: 'default', name: 'a', subresource: '' },
  status: 201,
})

/** A run of a plugin with late writes of these kinds. */
const runWith = (...plurals: string[]) =>
  ({
    state: new Map(),
    writes: [],
    lateWrites: plurals.map(write),
    changes: 1,
    verification: { program: 'plugin', vclusterName: 'vc', targetNamespace: 'default', hostObjects: [] },
  }) as unknown as ScenarioRun

const scenario = { steps: {}, register: () => {} } as unknown as Scenario

void t.test('after a fault a plugin may write Events late, and no objects', async (t) => {
  const reference = runWith()
  const faults = [{ type: 'refuse', call: 1, code: 503 }] as const
  const problemsOf = (...plurals: string[]) => verifyRun(runWith(...plurals), { scenario, reference, faults })
  t.strictSame(problemsOf('events'), [])
  t.match(problemsOf('configmaps'), [/configmaps default\/a: no object had changed before this write/])
  t.match(verifyReference(runWith('events'), scenario), [/events default\/a: no object had changed/])
})
