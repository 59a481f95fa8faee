// Tests that a release is whole after a crash at any write of its installation, its upgrade and its uninstallation.

import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust, operatorScenario } from '../../../testing/index.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { annotationNames } from '../annotations/annotation-reader.js'
import { functionChart } from '../chart/function-chart.js'
import { chart, configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

void t.test('it survives a crash at every write', async (t) => {
  const scenario = operatorScenario({
    register: (operator) => operator.register(helmController({ resource: kind, chart })),
    definitions: [definition],
    steps: {
      'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { more: ['a'] } }),
      'it is upgraded, and an object leaves the chart': ({ client }) =>
        client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two', more: [] } } }),
      'it is uninstalled': ({ client }) => client.delete(greetings, key),
    },
    writesPerChange: 20,
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.ok(writes.length > 15)
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

const frozen = functionChart({ name: 'frozen', version: '1.0.0' }, ({ text = 'a' }, { name }) => [
  configMap(`${name}-a`, { text: String(text) }),
  { ...configMap(name, { text: String(text) }), immutable: true },
])
const yearMs = 365 * 24 * 3_600_000
const to = (text: string) => ({ type: 'merge', body: { spec: { text } } }) as const

void t.test('so is one whose upgrade fails and is rolled back', async (t) => {
  const scenario = operatorScenario({
    register: (operator) =>
      operator.register(
        helmController({ resource: kind, chart: frozen, reconcilePeriodMs: 0, retryFailedMs: yearMs }),
      ),
    definitions: [definition],
    steps: {
      'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { text: 'one' } }),
      'its upgrade fails': ({ client }) => client.patch(greetings, key, to('two')),
      // Records name the process that wrote them: without this step each run would end in another state.
      'it is uninstalled': ({ client }) => client.delete(greetings, key),
    },
    writesPerChange: 30,
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

void t.test('so is one that a user rolls back', async (t) => {
  const annotations = { [annotationNames.rollbackTo]: '1' }
  const scenario = operatorScenario({
    register: (operator) =>
      operator.register(helmController({ resource: kind, chart, annotations: annotationNames })),
    definitions: [definition],
    steps: {
      'it is installed': ({ client }) => client.create(greetings, { metadata: key, spec: { text: 'one' } }),
      'it is upgraded': ({ client }) => client.patch(greetings, key, to('two')),
      'it is rolled back': ({ client }) =>
        client.patch(greetings, key, { type: 'merge', body: { metadata: { annotations } } }),
      'it is uninstalled': ({ client }) => client.delete(greetings, key),
    },
    writesPerChange: 20,
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})

/** An object that cannot be made, after one that can, unless the text is right. */
const picky = functionChart({ name: 'picky', version: '1.0.0' }, ({ text = 'a' }, { name }) => [
  configMap(`${name}-a`, { text: String(text) }),
  configMap(name, text === 'right' ? { text } : { 'no key': '' }),
])

void t.test('so is one whose installation fails and is uninstalled', async (t) => {
  const options = { onFailure: 'uninstall', reconcilePeriodMs: 0, retryFailedMs: yearMs } as const
  const scenario = operatorScenario({
    register: (operator) => operator.register(helmController({ resource: kind, chart: picky, ...options })),
    definitions: [definition],
    steps: {
      'its installation fails': ({ client }) =>
        client.create(greetings, { metadata: key, spec: { text: 'wrong' } }),
      'it is installed': ({ client }) => client.patch(greetings, key, to('right')),
      'it is uninstalled': ({ client }) => client.delete(greetings, key),
    },
    writesPerChange: 30,
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [])
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
