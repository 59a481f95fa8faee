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
    'a pod whose containers run',
    {
      phase: 'Running',
      podIPs: [{ ip: '192.0.2.7' }],
      containerStatuses: [up('c'), up('d', { ready: false })],
    },
    { Ready: '1/2', Status: 'Running', Restarts: '0', IP: '192.0.2.7', Node: '<none>' },
  ),
  pod(
    'a pod says how often its containers began again, and when last',
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
    'a pod waits for what its first waiting container waits for',
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
    'a pod has ended as its first container that ended',
    {
      phase: 'Failed',
      containerStatuses: [ended('c', 0, { signal: 9 }), ended('d', 2, { reason: 'Error' })],
    },
    { Status: 'Signal:9' },
  ),
  pod(
    'a pod that is complete but for one container is not ready',
    { phase: 'Running', containerStatuses: [ended('c', 0, { reason: 'Completed' }), up('d')] },
    { Ready: '1/2', Status: 'NotReady' },
  ),
  pod(
    'a pod that is complete but for one failure tells the failure',
    {
      phase: 'Failed',
      containerStatuses: [ended('c', 0, { reason: 'Completed' }), ended('d', 3, { reason: 'OOMKilled' })],
    },
    { Ready: '0/2', Status: 'OOMKilled' },
  ),
  pod(
    'a pod that is ready runs, whatever is complete',
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [ended('c', 0, { reason: 'Completed' }), up('d')],
    },
    { Status: 'Running' },
  ),
  pod(
    'a pod was evicted for a reason',
    { phase: 'Failed', reason: 'Evicted' },
    { Status: 'Evicted', Ready: '0/2' },
  ),
  pod(
    'a pod begins with the containers that come first',
    { phase: 'Pending', initContainerStatuses: [ended('e', 0), { name: 'f', state: { waiting: {} } }] },
    { Ready: '0/3', Status: 'Init:1/2' },
    { initContainers },
  ),
  pod(
    'a container that comes first and fails says how',
    {
      phase: 'Pending',
      initContainerStatuses: [{ ...ended('e', 7), restartCount: 2 }],
      containerStatuses: [{ name: 'c', state: { waiting: { reason: 'PodInitializing' } } }],
    },
    { Ready: '0/3', Status: 'Init:ExitCode:7', Restarts: '2' },
    { initContainers },
  ),
  pod(
    'a container that comes first may wait as well',
    {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'e', state: { waiting: { reason: 'ImagePullBackOff' } } }],
    },
    { Status: 'Init:ImagePullBackOff' },
    { initContainers },
  ),
  pod(
    'a container that comes first and stays is counted with the others',
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
    'a pod has as many gates as are open',
    { phase: 'Running', conditions: [{ type: 'example.com/a', status: 'True' }], nominatedNodeName: 'n' },
    { 'Readiness Gates': '1/2', 'Nominated Node': 'n' },
    { readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }] },
  ),
  pod(
    'a pod that waits at a scheduling gate',
    { phase: 'Pending' },
    { Status: 'SchedulingGated' },
    { schedulingGates: [{ name: 'example.com/a' }] },
  ),
  {
    name: 'a row says that a pod has ended',
    source: printers,
    async run(scene) {
      const body = { metadata: { name: 'a' }, spec: { automountServiceAccountToken: false, containers } }
      const answer = await withStatus(scene, { resource: 'pods', body, status: { phase: 'Succeeded' } })
      const message = 'The pod has completed successfully.'
      scene.expect.has(answer.body, {
        rows: [{ conditions: [{ type: 'Completed', status: 'True', reason: 'Succeeded', message }] }],
      })
    },
  },
]

/** What `kubectl get` shows of pods. */
export const podCells: CaseGroup = {
  name: 'cells-pods',
  cases: [...pods],
}
