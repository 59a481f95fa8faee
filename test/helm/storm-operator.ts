// The operator that storm.test.ts kills: a release for each object of its kind, with hooks that need an account of
// their own.

import { helmController } from '../../sdk/helm/index.js'
import { createOperator } from '../../sdk/operator/index.js'
import { stormChart, stormy } from './storm-chart.js'

const operator = createOperator({ name: 'storm', leaderElection: false })
operator.register(helmController({ resource: stormy.kind, chart: stormChart }))
await operator.start()
