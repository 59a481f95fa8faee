// Tests that a scenario of an operator with charts fails if no release of it was ever installed.
import t, { type Test } from 'tap'
import '../../sdk/engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import type { JsonObject } from '../../sdk/helm/chart/json-object.js'
import { configMap, definition, greetings, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { operatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'

/**
 * Renders two ConfigMaps if it is enabled. The text `bad` fails, and the API server refuses the second one for the text
 * `refused`.
 */
const chart = functionChart({ name: 'picky', version: '1.0.0' }, ({ enabled, text = 'a' }, { name }) => {
  if (text === 'bad') throw new Error('the text is bad')
  const first = configMap(`${name}-first`, {})
  return enabled
    ? [first, configMap(name, text === 'refused' ? { 'no key': '' } : { text: String(text) })]
    : []
})

/** Explores the life of objects with these specs. */
const explore = (...specs: JsonObject[]) => {
  const keys = specs.map((_, index) => ({ namespace: 'default', name: `greeting-${index}` }))
  const scenario = operatorScenario({
    register: (operator) => operator.register(helmController({ resource: kind, chart })),
    definitions: [definition],
    steps: {
      'they are installed': async ({ client }) => {
        for (const [index, spec] of specs.entries())
          await client.create(greetings, { metadata: keys[index] ?? {}, spec })
      },
      'they are uninstalled': async ({ client }) => {
        for (const key of keys) await client.delete(greetings, key)
      },
    },
    writesPerChange: 50,
  })
  return exhaust(scenario, { faults: ['crashes'] })
}

const fails = (t: Test, specs: JsonObject[], message: RegExp) => t.rejects(explore(...specs), { message })

void t.test('a scenario whose chart renders no object, or that fails, is said with the reason', async (t) => {
  await fails(
    t,
    [{ enabled: false }],
    /^the scenario fails without any fault:\n {2}the release of Greeting default\/greeting-0 has no object: the chart picky-1\.0\.0 renders none from these values; correct the chart, .*$/,
  )
  await fails(
    t,
    [{ enabled: true, text: 'bad' }],
    /the release of Greeting default\/greeting-0 was never installed: .*the text is bad/,
  )
  await fails(
    t,
    [{ enabled: true, text: 'refused' }],
    /the release of Greeting default\/greeting-0 was never installed: .*no key/,
  )
})

void t.test('one that installs any release passes', async (t) => {
  await t.resolves(explore({ enabled: true }, { enabled: false }))
})
