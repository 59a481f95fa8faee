// An operator for the tests on a real node: releases of a chart with hook Jobs, and Modules with Helm charts whose
// forks get the volumes.
import { statefulSets } from 'vcluster-plugin-sdk'
import { helmController, loadWatches } from 'vcluster-plugin-sdk/helm'
import { moduleControllers } from 'vcluster-plugin-sdk/modules'
import { createOperator } from 'vcluster-plugin-sdk/operator'

const operator = createOperator({ name: 'releases' })
for (const entry of await loadWatches(new URL('watches.yaml', import.meta.url)))
  operator.register(helmController({ ...entry, wait: 'ready' }))
operator.register(
  ...moduleControllers({
    helm: {},
    forkData: { volumes: { image: 'docker.io/library/releases:v1' } },
    permissions: [
      { resource: statefulSets, verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'] },
    ],
  }),
)
await operator.start()
