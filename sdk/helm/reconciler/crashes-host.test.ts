// Tests that a release on the host of an object in the virtual cluster is whole after a crash of the plugin at any
// write.
import t from 'tap'
import { exhaust, type Scenario } from '../../../testing/index.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { customResourceDefinitions } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { chart, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

const isOfRelease = ({ metadata: { labels = {} } }: KubeObject) =>
  labels['app.kubernetes.io/managed-by'] === 'Helm' || labels.owner === 'helm'

const scenario: Scenario = {
  register: (plugin) =>
    plugin.register(helmController({ resource: kind, chart, cluster: 'virtual', target: 'host' })),
  async before({ virtual }) {
    await virtual.create(customResourceDefinitions, definition)
    const isServed = () =>
      virtual.list(greetings).then(
        () => true,
        () => false,
      )
    while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
  },
  steps: {
    'it is installed': ({ virtual }) => virtual.create(greetings, { metadata: key, spec: { more: ['a'] } }),
    'it is uninstalled': ({ virtual }) => virtual.delete(greetings, key),
  },
  owns: isOfRelease,
  writesPerChange: 20,
}

void t.test('it survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'] })
  t.strictSame(missed, [])
  t.ok(writes.length > 8)
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
