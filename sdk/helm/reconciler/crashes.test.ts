// Tests that a release is whole after a crash at any write of its installation, its upgrade and its uninstallation.
import t from 'tap'
import { exhaustCrashes, operatorScenario } from '../../../testing/index.js'
import '../../kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { chart, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmReconciler } from './helm-reconciler.js'

void t.test('it survives a crash at every write', async (t) => {
  const scenario = operatorScenario({
    register: (operator) => operator.register(helmReconciler({ resource: kind, chart })),
    definitions: [definition],
    steps: {
      'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { more: ['a'] } }),
      'it is upgraded, and an object leaves the chart': ({ client }) =>
        client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two', more: [] } } }),
      'it is uninstalled': ({ client }) => client.delete(greetings, key),
    },
    writesPerChange: 20,
  })
  const { missed, writes, runs } = await exhaustCrashes(scenario)
  t.strictSame(missed, [])
  t.ok(writes.length > 15)
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
