// Tests that a release that waits for its objects, or replaces one, is whole after a crash or a change of the leader at
// any write.

import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust, operatorScenario } from '../../../testing/index.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import type { KubeObject } from '../../engine/kube/object.js'
import { annotationNames } from '../annotations/annotation-reader.js'
import { functionChart } from '../chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

/** A Deployment, and a ConfigMap that cannot be changed. */
const web = functionChart({ name: 'web', version: '1.0.0' }, ({ image = 'a', frozen }, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'a', image }] } },
    },
  } as KubeObject,
  ...(frozen ? [{ ...configMap(name, { text: String(frozen) }), immutable: true }] : []),
])

const waiting = operatorScenario({
  register: (operator) => operator.register(helmController({ resource: kind, chart: web, wait: 'ready' })),
  definitions: [definition],
  steps: {
    'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: {} }),
    'it is upgraded': ({ client }) =>
      client.patch(greetings, key, { type: 'merge', body: { spec: { image: 'b' } } }),
    'it is uninstalled': ({ client }) => client.delete(greetings, key),
  },
  simulate: ({ setAllReady }) => setAllReady(),
  writesPerChange: 30,
})

void t.test('one that waits survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(waiting, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

void t.test('one that waits survives a change of the leader at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(waiting, { faults: ['leader-changes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} changes`)
})

const forced = operatorScenario({
  register: (operator) =>
    operator.register(helmController({ resource: kind, chart: web, annotations: annotationNames })),
  definitions: [definition],
  steps: {
    'it is installed': ({ client }) =>
      client.create(greetings, {
        metadata: { ...key, annotations: { [annotationNames.upgradeForce]: 'true' } },
        spec: { frozen: 'one' },
      }),
    'an object is replaced': ({ client }) =>
      client.patch(greetings, key, { type: 'merge', body: { spec: { frozen: 'two' } } }),
    'it is uninstalled': ({ client }) => client.delete(greetings, key),
  },
  writesPerChange: 30,
})

void t.test('one that replaces an object survives a crash at every write', async (t) => {
  const { missed, writes, runs } = await exhaust(forced, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
