import type { Case, CaseGroup } from '../case.js'
import { ago, containers } from '../samples.js'
import { type Cells, printers, shows, withStatus } from '../shows.js'

/** A pod with this status. */
const pod = (name: string, status: object, cells: Cells, spec: object = {}): Case =>
  shows({
    name,
    resource: 'pods',
    object: { spec: { automountServiceAccountToken: false, containers, ...spec } },
    status,
    cells,
  })

const initContainers = [
  { name: 'e', image: 'i' },
  { name: 'f', image: 'i', restartPolicy: 'Always' },
]
const up = (name: string, more: object = {}) => ({ name, ready: true, state: { running: {} }, ...more })
const ended = (name: string, exitCode: number, more: object = {}) => ({
  name,
  state: { terminated: { exitCode, ...more } },
})

const pods: readonly Case[] = [
  pod(
    'a pod with running containers',
    {
      phase: 'Running',
      podIPs: [{ ip: '192.0.2.7' }],
      containerStatuses: [up('c'), up('d', { ready: false })],
    },
    { Ready: '1/2', Status: 'Running', Restarts: '0', IP: '192.0.2.7', Node: '<none>' },
  ),
  pod(
    'a pod shows the number of restarts and the time of the last one',
    {
      phase: 'Running',
      containerStatuses: [
        up('c', { restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: ago(100_000) } } }),
        up('d', { restartCount: 1, lastState: { terminated: { exitCode: 1, finishedAt: ago(200_000) } } }),
      ],
    },
    { Ready: '2/2', Restarts: '4 (27h ago)' },
  ),
  pod(
    'a pod shows the reason of its first waiting container',
    {
      phase: 'Pending',
      containerStatuses: [
        { name: 'c', state: { waiting: { reason: 'ErrImagePull' } } },
        { name: 'd', state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    },
    { Ready: '0/2', Status: 'ErrImagePull' },
  ),
  pod(
    'a pod shows the reason of its first terminated container',
    {
      phase: 'Failed',
      containerStatuses: [ended('c', 0, { signal: 9 }), ended('d', 2, { reason: 'Error' })],
    },
    { Status: 'Signal:9' },
  ),
  pod(
    'a pod whose containers are all completed except one is not ready',
    { phase: 'Running', containerStatuses: [ended('c', 0, { reason: 'Completed' }), up('d')] },
    { Ready: '1/2', Status: 'NotReady' },
  ),
  pod(
    'a pod with completed containers and one failure shows the failure',
    {
      phase: 'Failed',
      containerStatuses: [ended('c', 0, { reason: 'Completed' }), ended('d', 3, { reason: 'OOMKilled' })],
    },
    { Ready: '0/2', Status: 'OOMKilled' },
  ),
  pod(
    'a ready pod is shown as running, even with completed containers',
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [ended('c', 0, { reason: 'Completed' }), up('d')],
    },
    { Status: 'Running' },
  ),
  pod(
    'an evicted pod shows its reason',
    { phase: 'Failed', reason: 'Evicted' },
    { Status: 'Evicted', Ready: '0/2' },
  ),
  pod(
    'a pod shows the progress of its init containers',
    { phase: 'Pending', initContainerStatuses: [ended('e', 0), { name: 'f', state: { waiting: {} } }] },
    { Ready: '0/3', Status: 'Init:1/2' },
    { initContainers },
  ),
  pod(
    'a failed init container shows its reason',
    {
      phase: 'Pending',
      initContainerStatuses: [{ ...ended('e', 7), restartCount: 2 }],
      containerStatuses: [{ name: 'c', state: { waiting: { reason: 'PodInitializing' } } }],
    },
    { Ready: '0/3', Status: 'Init:ExitCode:7', Restarts: '2' },
    { initContainers },
  ),
  pod(
    'a waiting init container shows its reason',
    {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'e', state: { waiting: { reason: 'ImagePullBackOff' } } }],
    },
    { Status: 'Init:ImagePullBackOff' },
    { initContainers },
  ),
  pod(
    'a sidecar is counted with the containers',
    {
      phase: 'Running',
      initContainerStatuses: [
        { ...ended('e', 0), restartCount: 5 },
        up('f', { started: true, restartCount: 1 }),
      ],
      containerStatuses: [up('c'), up('d', { restartCount: 1 })],
    },
    { Ready: '3/3', Status: 'Running', Restarts: '2' },
    { initContainers },
  ),
  pod(
    'a pod shows the number of its true readiness gates',
    { phase: 'Running', conditions: [{ type: 'example.com/a', status: 'True' }], nominatedNodeName: 'n' },
    { 'Readiness Gates': '1/2', 'Nominated Node': 'n' },
    { readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }] },
  ),
  pod(
    'a pod that waits for a scheduling gate',
    { phase: 'Pending' },
    { Status: 'SchedulingGated' },
    { schedulingGates: [{ name: 'example.com/a' }] },
  ),
  {
    name: 'a row has a condition for a terminated pod',
    source: printers,
    async run(client) {
      const body = { metadata: { name: 'a' }, spec: { automountServiceAccountToken: false, containers } }
      const answer = await withStatus(client, { resource: 'pods', body, status: { phase: 'Succeeded' } })
      const message = 'The pod has completed successfully.'
      client.expect.has(answer.body, {
        rows: [{ conditions: [{ type: 'Completed', status: 'True', reason: 'Succeeded', message }] }],
      })
    },
  },
]

/** The columns of `kubectl get` for pods. */
export const podCells: CaseGroup = {
  name: 'cells-pods',
  cases: [...pods],
}
