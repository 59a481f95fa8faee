// An operator for the tests on a real node: releases of a chart with hook Jobs, Modules with Helm charts whose forks
// get the volumes, Modules whose manager is a container, and managed Workspaces.
import { deployments, services, statefulSets } from 'vcluster-plugin-sdk'
import { helmController, loadWatches } from 'vcluster-plugin-sdk/helm'
import { moduleControllers } from 'vcluster-plugin-sdk/modules'
import { createOperator } from 'vcluster-plugin-sdk/operator'
import webProgram from '../../../examples/modules/web-program.js'
import { managedVClusters } from './managed-vclusters.js'

const operator = createOperator({ name: 'releases' })
for (const entry of await loadWatches(new URL('watches.yaml', import.meta.url)))
  operator.register(helmController({ ...entry, wait: 'ready' }))
operator.register(
  ...moduleControllers({
    ...(await managedVClusters()),
    builtIn: { Web: webProgram },
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
      ...[deployments, services].map((resource) => ({
        resource,
        verbs: ['get', 'create', 'patch', 'delete'],
      })),
    ],
  }),
)
await operator.start()
