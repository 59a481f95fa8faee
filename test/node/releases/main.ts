// An operator for the tests on a real node: releases of a chart with hook Jobs, Modules with Helm charts whose forks
// get the volumes, and Modules whose manager is a container.
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
    containers: {
      allowImages: ['docker.io/library/manager:'],
      namespace: 'releases-managers',
      permissions: {
        deployments: [
          { group: 'apps', resource: 'deployments', verbs: ['create', 'delete', 'get', 'patch'] },
        ],
      },
    },
    permissions: [
      { resource: statefulSets, verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'] },
    ],
  }),
)
await operator.start()
