import type { Case, CaseGroup } from '../case.js'
import { ago, containerCells, containers, expressions, labels, running, template } from '../samples.js'
import { type Cells, shows } from '../shows.js'

const workloads: readonly Case[] = [
  shows({
    resource: 'deployments',
    object: { spec: { replicas: 0, selector: { matchLabels: labels }, template: running } },
    status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1, replicas: 4 },
    cells: { Ready: '2/0', 'Up-to-date': 3, Available: 1, ...containerCells, Selector: 'app=a,tier=b' },
  }),
  shows({
    name: 'a selector is shown by its keys, with its expressions',
    resource: 'replicasets',
    object: {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels, matchExpressions: expressions },
        template: { ...running, metadata: { labels: { ...labels, a: 'one', c: 'z' } } },
      },
    },
    cells: { Desired: 0, ...containerCells, Selector: 'a in (one),app=a,b notin (x,y),c,!d,tier=b' },
  }),
  shows({
    resource: 'statefulsets',
    object: { spec: { replicas: 0, selector: { matchLabels: labels }, template: running } },
    status: { readyReplicas: 2, replicas: 2 },
    cells: { Ready: '2/0', ...containerCells },
  }),
  shows({
    resource: 'replicationcontrollers',
    object: { spec: { replicas: 0, selector: labels, template: running } },
    status: { replicas: 3, readyReplicas: 2 },
    cells: { Desired: 0, Current: 3, Ready: 2, ...containerCells, Selector: 'app=a,tier=b' },
  }),
  shows({
    resource: 'daemonsets',
    object: {
      spec: {
        selector: { matchLabels: labels },
        template: { ...running, spec: { containers, nodeSelector: { disk: 'fast', none: 'such' } } },
      },
    },
    status: {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
    },
    cells: {
      Desired: 5,
      Current: 4,
      Ready: 3,
      'Up-to-date': 2,
      Available: 1,
      'Node Selector': 'disk=fast,none=such',
      ...containerCells,
      Selector: 'app=a,tier=b',
    },
  }),
  shows({
    resource: 'podtemplates',
    object: { template: running },
    cells: { Age: undefined, ...containerCells, 'Pod Labels': 'app=a,tier=b' },
  }),
  shows({
    resource: 'controllerrevisions',
    object: {
      metadata: {
        name: 'a',
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true },
        ],
      },
      data: {},
      revision: 7,
    },
    cells: { Controller: 'statefulset.apps/s', Revision: 7 },
  }),
]

const batch: readonly Case[] = [
  shows({
    name: 'a running job',
    resource: 'jobs',
    object: { spec: { completions: 3, managedBy: 'example.com/other', template } },
    status: { succeeded: 1, startTime: ago(100_000) },
    cells: {
      Status: 'Running',
      Completions: '1/3',
      Duration: '27h',
      ...containerCells,
      Selector: /^batch.kubernetes.io\/controller-uid=[0-9a-f-]{36}$/,
    },
  }),
  shows({
    name: 'a suspended job without completions',
    resource: 'jobs',
    object: { spec: { parallelism: 4, suspend: true, managedBy: 'example.com/other', template } },
    status: { conditions: [{ type: 'Suspended', status: 'True' }] },
    cells: { Status: 'Suspended', Completions: '0/1 of 4', Duration: '' },
  }),
  shows({
    name: 'a completed job',
    resource: 'jobs',
    object: { spec: { managedBy: 'example.com/other', template } },
    status: {
      succeeded: 1,
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:02:05Z',
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True' },
      ],
    },
    cells: { Status: 'Complete', Completions: '1/1', Duration: '2m5s' },
  }),
  shows({
    resource: 'cronjobs',
    object: {
      spec: { schedule: '0 0 1 1 *', timeZone: 'UTC', suspend: true, jobTemplate: { spec: { template } } },
    },
    status: { active: [{ kind: 'Job', name: 'j' }], lastScheduleTime: ago(100_000) },
    cells: {
      Schedule: '0 0 1 1 *',
      Timezone: 'UTC',
      Suspend: 'True',
      Active: 1,
      'Last Schedule': '27h',
      ...containerCells,
      Selector: '<none>',
    },
  }),
  shows({
    name: 'a cronjob that has not started a job',
    resource: 'cronjobs',
    object: { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } } },
    cells: { Timezone: '<none>', Suspend: 'False', Active: 0, 'Last Schedule': '<none>' },
  }),
]

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } }
const metric = { metric: { name: 'm' } }
const scaler = (name: string, metrics: readonly object[], status: object, cells: Cells) =>
  shows({
    name,
    resource: 'horizontalpodautoscalers',
    object: { spec: { scaleTargetRef: target, maxReplicas: 5, metrics } },
    status: { desiredReplicas: 0, currentReplicas: 2, ...status },
    cells: { Reference: 'Deployment/d', MinPods: '1', MaxPods: 5, Replicas: 2, ...cells },
  })

const autoscalers: readonly Case[] = [
  scaler(
    'an autoscaler with current values',
    [{ type: 'Resource', resource: cpu }],
    { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9 } } }] },
    { Targets: 'cpu: 9%/60%' },
  ),
  scaler(
    'an autoscaler without current values',
    [
      {
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
      },
      { type: 'Pods', pods: { ...metric, target: { type: 'AverageValue', averageValue: '1500m' } } },
    ],
    {},
    { Targets: 'memory: <unknown>/1Gi, <unknown>/1500m' },
  ),
  scaler(
    'an autoscaler with many metrics',
    [
      { type: 'External', external: { ...metric, target: { type: 'AverageValue', averageValue: '2' } } },
      {
        type: 'Object',
        object: { ...metric, describedObject: target, target: { type: 'Value', value: '10' } },
      },
      {
        type: 'ContainerResource',
        containerResource: { ...cpu, container: 'c' },
      },
    ],
    {},
    { Targets: '<unknown>/2 (avg), <unknown>/10 + 1 more...' },
  ),
]

/** The columns of `kubectl get` for workloads. */
export const workloadCells: CaseGroup = {
  name: 'cells-workloads',
  cases: [...workloads, ...batch, ...autoscalers],
}
