// Tests that a release with hooks of its chart is whole, and each hook ran once, after a crash or a change of the leader at any write.
import t from 'tap'
import { exhaustCrashes, exhaustLeaderChanges, operatorScenario } from '../../../testing/index.js'
import '../../kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { functionChart } from '../chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmReconciler } from './helm-reconciler.js'

/** A hook that ends at once. */
const hook = (name: string, events: string) =>
  configMap(name, {}, { 'helm.sh/hook': events, 'helm.sh/hook-delete-policy': 'hook-succeeded' })

const hooked = functionChart({ name: 'hooked', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
  hook(`${name}-before`, 'pre-install,pre-upgrade,pre-delete'),
  hook(`${name}-after`, 'post-install,post-upgrade,post-delete'),
])

const options = {
  register: (operator) => operator.register(helmReconciler({ resource: kind, chart: hooked })),
  definitions: [definition],
  steps: {
    'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { text: 'one' } }),
    'it is upgraded': ({ client }) =>
      client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two' } } }),
    'it is uninstalled': ({ client }) => client.delete(greetings, key),
  },
  // As with Helm, the objects of hooks have no owner.
  owns: ({ metadata }) => metadata.annotations?.['vcluster-plugin-sdk/hook-run'] !== undefined,
  writesPerChange: 60,
} satisfies Parameters<typeof operatorScenario>[0]

void t.test('it survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaustCrashes(operatorScenario(options))
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

void t.test('it survives a change of the leader at every write', async (t) => {
  const { 'it is upgraded': _, ...steps } = options.steps
  const { missed, writes, runs } = await exhaustLeaderChanges(operatorScenario({ ...options, steps }))
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} changes`)
})
