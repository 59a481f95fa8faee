// Tests that a release whose name and target are functions of its object is whole after a crash at any write, and never
// left behind.

import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust, operatorScenario, type Scenario } from '../../../testing/index.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { customResourceDefinitions } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { JsonObject } from '../chart/json-object.js'
import { chart, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

const spec = (spec: object) => ({ type: 'merge', body: { spec } }) as const

const named = operatorScenario({
  register: (operator) =>
    operator.register(
      helmController({ resource: kind, chart, releaseName: ({ spec }) => String((spec as JsonObject).as) }),
    ),
  definitions: [definition],
  steps: {
    'it is installed': ({ client }) =>
      client.create(greetings, { metadata: key, spec: { as: 'one', more: ['a'] } }),
    'its object asks for another name': ({ client }) =>
      client.patch(greetings, key, spec({ as: 'two', more: [] })),
    'its object asks for the first name again': ({ client }) =>
      client.patch(greetings, key, spec({ as: 'one' })),
    'it is uninstalled': ({ client }) => client.delete(greetings, key),
  },
  writesPerChange: 20,
})

void t.test('a named release survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(named, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.ok(writes.length > 15)
  t.strictSame(
    writes.filter((write) => write.includes('two')),
    [],
    'there is no second release',
  )
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

const isOfRelease = ({ metadata: { labels = {} } }: KubeObject) =>
  labels['app.kubernetes.io/managed-by'] === 'Helm' || labels.owner === 'helm'

const chosen: Scenario = {
  register: (plugin) =>
    plugin.register(
      helmController({
        resource: kind,
        chart,
        cluster: 'virtual',
        targets: ['virtual', 'host'],
        target: ({ spec }) => ({ cluster: String((spec as JsonObject).to) }),
      }),
    ),
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
    'it is installed on the host': ({ virtual }) =>
      virtual.create(greetings, { metadata: key, spec: { to: 'host' } }),
    'its object asks for the virtual cluster': ({ virtual }) =>
      virtual.patch(greetings, key, spec({ to: 'virtual', text: 'two' })),
    'it is uninstalled': ({ virtual }) => virtual.delete(greetings, key),
  },
  owns: isOfRelease,
  writesPerChange: 20,
}

void t.test('a release in a chosen cluster survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(chosen, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
