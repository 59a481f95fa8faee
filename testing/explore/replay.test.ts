import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { backup, backupDefinition, backups, memcached } from '../../sdk/operator/backups.fixture.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { type OperatorScenario, operatorScenario } from '../scenario/operator-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import { mirrorOfConfigMaps } from './config-map-mirror.fixture.js'
import { replay } from './replay.js'
import { zoneScenario } from './zone-scenario.fixture.js'

/** An operator with a Deployment for each backup, of which one is created. */
const created = operatorScenario({
  register: (program) => program.register(controller(backups, memcached)),
  definitions: [backupDefinition],
  steps: { 'a backup is created': ({ client }) => client.create(backups, backup(2)) },
  simulate: ({ setAllReady }) => setAllReady(),
})

/** A mirror of ConfigMaps, of which one is created. */
const plugin: Scenario = {
  register: (program, ctx) => program.register(mirrorOfConfigMaps(ctx)),
  steps: {
    'a ConfigMap is created': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' } }),
  },
}

void t.test('a replay fails if the run does not come to the place of its faults', async (t) => {
  await t.resolves(replay(plugin, 'crash:1:before'))
  for (const schedule of ['crash:9:unanswered', 'refuse:99:503', 'late:host:2'])
    await t.rejects(replay(plugin, `crash:1:before,${schedule}`), {
      message: new RegExp(
        `^replay: the run did not come to ${schedule}, so it proves nothing: .* has \\d+ writes and \\d+ calls`,
      ),
    })
})

void t.test('a fault that finds nothing to disturb fails a replay', async (t) => {
  const nothing: [OperatorScenario, string][] = [
    // No user had changed the object before the first write.
    [created, 'flip:1:soon'],
    // The operator does not watch Secrets.
    [created, 'late:main/secrets:1'],
    // The first write has added a finalizer.
    [zoneScenario(), 'recreate:2'],
  ]
  for (const [scenario, schedule] of nothing)
    await t.rejects(replay(scenario, schedule), { message: new RegExp(`did not come to ${schedule},`) })
})

void t.test('a replay of a plugin refuses the faults of operators', async (t) => {
  for (const schedule of ['flip:1:soon', 'recreate:1', 'cut:1', 'handover:1:held', 'upgrade:1:before'])
    await t.rejects(replay(plugin, schedule), {
      name: 'TypeError',
      message: `replay: only operators have the fault ${schedule}, but the scenario is of a plugin`,
    })
})
