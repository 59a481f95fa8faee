import t from 'tap'
import { backup, backupDefinition, backups, memcached } from '../../sdk/operator/backups.fixture.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { operatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'

void t.test('an edit that an admission policy forbids is tried with another value', async (t) => {
  let forbid = () => {}
  const scenario = operatorScenario({
    register: (program) => program.register(controller(backups, memcached)),
    definitions: [backupDefinition],
    before: async ({ server }) => {
      const match = { verb: 'patch', resource: 'deployments' } as const
      forbid = () => void server.faults.add(match, { type: 'status', code: 403 }, { times: 1 })
    },
    steps: {
      'a backup is created': ({ client }) => client.create(backups, backup(2)),
      'edits are forbidden': async () => forbid(),
    },
    simulate: ({ setAllReady }) => setAllReady(),
  })
  const { changes } = await exhaust(scenario, { faults: ['edits'] })
  t.ok(changes.length > 0)
})
