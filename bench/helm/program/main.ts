// An operator that keeps a release of the chart in the archive CHART for each object, and compares it every PERIOD_MS.

import { helmController, helmRenderer, loadChart } from '../../../sdk/helm/index.js'
import { createOperator } from '../../../sdk/operator/index.js'
import { benchReleases } from './kind.js'

const { CHART = '', PERIOD_MS = '10000', RENDERER } = process.env
const operator = createOperator({ name: 'bench', leaderElection: false })
operator.register(
  helmController({
    resource: benchReleases,
    chart: await loadChart(CHART),
    reconcilePeriodMs: Number(PERIOD_MS),
    ...(RENDERER === 'program' && { renderer: await helmRenderer() }),
  }),
)
await operator.start()
