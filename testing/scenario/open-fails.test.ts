import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { backupDefinition, backups, memcached } from '../../sdk/operator/backups.fixture.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { mirrorDown } from '../../sdk/vcluster/syncer/translator/mirror.js'
import { embeddedClusters } from '../environment/embedded-clusters.js'
import { embeddedOperatorClusters } from '../environment/embedded-run.js'
import type { RunClusters } from '../environment/test-environment.js'
import { exhaust } from '../explore/exhaust.js'
import { operatorScenario } from './operator-scenario.js'
import { runScenario } from './run-scenario.js'
import type { Scenario } from './scenario.js'

/** A run that counts how often it is closed. */
function counted<R extends RunClusters>(run: R, closed: { times: number }): R {
  const close = () => {
    closed.times++
    return run.close()
  }
  return { ...run, close }
}

const before = async () => {
  throw new Error('no cloud')
}

void t.test('the clusters of a plugin are closed if the objects before it cannot be created', async (t) => {
  const closed = { times: 0 }
  const environment: typeof embeddedClusters = {
    open: async (clock) => counted(await embeddedClusters.open(clock), closed),
  }
  const scenario = { register: () => {}, steps: {}, before, environment }
  await t.rejects(exhaust(scenario, { faults: ['crashes'] }), { message: 'no cloud' })
  t.equal(closed.times, 1)
})

void t.test('the clusters of an operator are closed, too', async (t) => {
  const closed = { times: 0 }
  const environment: typeof embeddedOperatorClusters = {
    open: async (names, clock) => counted(await embeddedOperatorClusters.open(names, clock), closed),
  }
  const scenario = operatorScenario({
    register: (operator) => operator.register(controller(backups, memcached)),
    definitions: [backupDefinition],
    steps: {},
    before,
    environment,
  })
  await t.rejects(exhaust(scenario, { faults: ['crashes', 'deletions'] }), { message: 'no cloud' })
  t.equal(closed.times, 1)
})

void t.test('the failure of a run is thrown even if its clusters do not close', async (t) => {
  const environment: typeof embeddedClusters = {
    open: async (clock) => {
      const run = await embeddedClusters.open(clock)
      const close = async () => {
        await run.close()
        throw new Error('does not close')
      }
      return { ...run, close }
    },
  }
  const run = (steps: Scenario['steps']) =>
    runScenario({
      register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
      steps,
      environment,
    })
  await t.rejects(run({ 'a step': before }), { message: /a step.*no cloud/ })
  await t.rejects(run({}), { message: 'does not close' })
})
