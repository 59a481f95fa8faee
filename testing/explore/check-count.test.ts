import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import type { Scenario } from '../scenario/scenario.js'
import { mirrorOfConfigMaps } from './config-map-mirror.fixture.js'
import { exhaust } from './exhaust.js'
import { perturb } from './perturb.js'

/** A mirror of ConfigMaps, of which one is created. */
const plugin: Scenario = {
  register: (program, ctx) => program.register(mirrorOfConfigMaps(ctx)),
  steps: {
    'a ConfigMap is created': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' } }),
  },
}

void t.test('numbers with which an exploration would prove nothing are refused', async (t) => {
  for (const maxFailures of [0, -1, 1.5, Number.NaN])
    await t.rejects(exhaust({ ...plugin, maxFailures }, { faults: ['crashes'] }), {
      name: 'TypeError',
      message: `exhaust: maxFailures of the scenario must be a whole number from 1 or Infinity, got ${maxFailures}`,
    })
  await t.resolves(exhaust({ ...plugin, maxFailures: Number.POSITIVE_INFINITY }, { faults: ['late-events'] }))
  for (const runs of [0, Number.NaN, Number.POSITIVE_INFINITY])
    await t.rejects(perturb(plugin, { runs }), {
      message: `perturb: runs must be a whole number from 1, got ${runs}`,
    })
  await t.rejects(perturb(plugin, { maxFaults: 0 }), {
    message: 'perturb: maxFaults must be a whole number from 1, got 0',
  })
})
