import pick from 'lodash/pick.js'
import t from 'tap'
import { deployments } from '../../sdk/engine/kube/builtin.js'
import { backup, backupDefinition, backups, key, memcached } from '../../sdk/operator/backups.fixture.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { type OperatorScenario, operatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'

const grow = { type: 'merge', body: { spec: { size: 3 } } } as const

/** An operator with a Deployment for each backup. */
const operator = operatorScenario({
  register: (program) => program.register(controller(backups, memcached)),
  definitions: [backupDefinition],
  steps: {
    'a backup is created': ({ client }) => client.create(backups, backup(2)),
    'it grows': ({ client }) => client.patch(backups, key, grow),
    'it is deleted': ({ client }) => client.delete(backups, key),
  },
  simulate: ({ setAllReady }) => setAllReady(),
})

const created: OperatorScenario = { ...operator, steps: pick(operator.steps, 'a backup is created') }

void t.test('deletions that find no object are missed', async (t) => {
  const { changes, missed } = await exhaust(operator, { faults: ['deletions'] })
  t.strictSame(changes, [])
  t.equal(missed.length, 7)
  t.equal(missed[0], 'Background delete of owned objects: there was no object to delete')
})

void t.test('deletions that the API server refuses are missed', async (t) => {
  const scenario: OperatorScenario = {
    ...created,
    before: async ({ server }) => {
      const match = { verb: 'delete', resource: deployments.plural }
      server.faults.add(match, { type: 'status', code: 403 }, { times: 1 })
    },
  }
  const { changes, missed } = await exhaust(scenario, { faults: ['deletions'] })
  t.strictSame(
    missed,
    ['Background', 'Foreground', 'Orphan'].map(
      (policy) => `${policy} delete of owned objects: delete main deployments default/daily (403)`,
    ),
  )
  t.strictSame(
    changes.filter((name) => name.endsWith('of owned objects')),
    [],
  )
  t.equal(changes.length, 4)
})
