// An operator with as many entries as ENTRIES says: a kind each, and a release of the chart in the folder CHART for
// each object.
import { helmController, loadChart } from '../../../sdk/helm/index.js'
import { createOperator } from '../../../sdk/operator/index.js'
import { entryKinds } from './kind.js'

const { CHART = '', ENTRIES = '1' } = process.env
const operator = createOperator({ name: 'bench', leaderElection: false })
for (const { resource } of entryKinds(Number(ENTRIES)))
  operator.register(helmController({ resource, chart: await loadChart(CHART), reconcilePeriodMs: 10_000 }))
await operator.start()
