import t from 'tap'
import { checkOutcomes } from './check-outcomes.js'
import type { ClusterOutcome } from './simulated-clusters.js'

const outcome = (state: ClusterOutcome['state'], text: string): ClusterOutcome => ({
  name: `Cluster default/${state}`,
  state,
  text,
  againSeconds: undefined,
})

void t.test(
  'a refused Cluster ends dev --once with an error, as a refused sample of another program',
  async (t) => {
    const healthy = outcome('healthy', 'Cluster in healthy state')
    const refused = outcome('refused', 'refused: spec.plugins.0.parameters.team: is required')
    t.throws(() => checkOutcomes([healthy, refused], undefined), {
      code: 'INVALID_MANIFEST',
      message:
        /^cannot apply the samples: Cluster default\/refused is refused: .*\.team: is required; correct the sample, or move/,
    })
    t.throws(() => checkOutcomes([healthy, outcome('failed', 'Pod db-1 would restart')], undefined), {
      code: 'NOT_READY',
      message: 'Cluster default/failed is not healthy: Pod db-1 would restart',
    })
    t.doesNotThrow(() => checkOutcomes([healthy, outcome('waiting', 'stopped by the plugin')], undefined))
  },
)
