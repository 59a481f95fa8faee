import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import type { Scenario } from '../scenario/scenario.js'
import { mirrorOfConfigMaps } from './config-map-mirror.fixture.js'
import { perturb } from './perturb.js'

void t.test('a failure that does not repeat is reported with its problems', async (t) => {
  let runs = 0
  const scenario: Scenario = {
    register: (plugin, ctx) => plugin.register(mirrorOfConfigMaps(ctx)),
    steps: {
      'a ConfigMap is created': async ({ virtual }) => {
        runs++
        // Two runs are the reference.
        if (runs === 3) throw new Error('only once')
        await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' } })
      },
    },
  }
  await t.rejects(perturb(scenario, { runs: 1, maxFaults: 1 }), {
    message: /the scenario fails with .*\n {2}step 1, "a ConfigMap is created": only once/,
  })
})
