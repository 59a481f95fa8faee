import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import {
  deployments,
  persistentVolumeClaims,
  services,
  storageClasses,
} from '../../sdk/engine/kube/builtin.js'
import { daemonSets, type Job, jobs, statefulSets } from '../../sdk/engine/kube/builtin-workloads.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { apiServices } from './api-service-status.js'
import { setAllWorkloadsReady, setWorkloadReady } from './set-ready.js'

const key = { namespace: 'default', name: 'db' }
const labels = { app: 'db' }
const containers = [{ name: 'db', image: 'db' }]
const pods = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } }
const statefulSet = (replicas: number) => ({
  metadata: key,
  spec: { ...pods, serviceName: 'db', replicas },
})
const job = (name: string, spec: Partial<Job['spec']> = {}) => ({
  metadata: { ...key, name },
  spec: { template: { spec: { restartPolicy: 'Never', containers } }, ...spec },
})

async function cluster() {
  const server = await createApiServer({ name: 'main' })
  return { server, client: createClient({ transport: inProcessTransport(server) }) }
}

void t.test('a StatefulSet and a DaemonSet of a name become ready together', async (t) => {
  const { client } = await cluster()
  await client.create(statefulSets, statefulSet(3))
  await client.create(daemonSets, { metadata: key, spec: pods })
  await setWorkloadReady(client, { metadata: key })
  const { status } = await client.get(statefulSets, key)
  t.match(status, { observedGeneration: 1, replicas: 3, readyReplicas: 3, updatedReplicas: 3 })
  t.match((await client.get(daemonSets, key)).status, { desiredNumberScheduled: 1, numberReady: 1 })
})

void t.test('a ready Deployment has the conditions that its controller writes', async (t) => {
  const { client, server } = await cluster()
  await client.create(deployments, { metadata: key, spec: pods })
  const failed = { status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z', lastUpdateTime: null }
  const conditions = [
    { ...failed, type: 'Available', reason: 'MinimumReplicasUnavailable' },
    { ...failed, type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' },
    { ...failed, type: 'Mine', reason: 'Mine' },
  ]
  await client.patch(deployments, key, {
    type: 'merge',
    subresource: 'status',
    body: { status: { conditions } },
  })
  await setWorkloadReady(client, { metadata: key })
  const { metadata, status } = await client.get(deployments, key)
  const times = { lastUpdateTime: metadata.creationTimestamp, lastTransitionTime: metadata.creationTimestamp }
  t.match(status?.conditions, [
    { type: 'Mine', status: 'False' },
    { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', ...times },
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', ...times },
  ])
  const before = server.resourceVersion
  await setAllWorkloadsReady(client)
  t.equal(server.resourceVersion, before)
})

void t.test('a Deployment without a deadline for its progress has no condition about it', async (t) => {
  const { client } = await cluster()
  await client.create(deployments, { metadata: key, spec: { ...pods, progressDeadlineSeconds: 2 ** 31 - 1 } })
  await setWorkloadReady(client, { metadata: key })
  const { status } = await client.get(deployments, key)
  t.strictSame(
    status?.conditions?.map(({ type }) => type),
    ['Available'],
  )
})

void t.test('a Job succeeds, unless it is suspended or has failed', async (t) => {
  const { client } = await cluster()
  await client.create(jobs, job('runs', { completions: 2 }))
  await client.create(jobs, job('waits', { suspend: true }))
  await client.create(jobs, job('failed'))
  const time = '2026-01-01T00:00:00Z'
  const conditions = ['FailureTarget', 'Failed'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: time,
    lastProbeTime: time,
  }))
  const body = { status: { startTime: time, failed: 1, conditions } }
  const failed = { ...key, name: 'failed' }
  await client.patch(jobs, failed, { type: 'merge', subresource: 'status', body })
  await setAllWorkloadsReady(client)
  const typesOf = async (name: string) =>
    (await client.get(jobs, { ...key, name })).status?.conditions?.map(({ type }) => type) ?? []
  t.strictSame(await typesOf('runs'), ['SuccessCriteriaMet', 'Complete'])
  t.match((await client.get(jobs, { ...key, name: 'runs' })).status, { succeeded: 2 })
  t.strictSame(await typesOf('waits'), [])
  t.strictSame(await typesOf('failed'), ['FailureTarget', 'Failed'])
})

void t.test('what is ready is not written again, and no replicas are ready as well', async (t) => {
  const { client, server } = await cluster()
  await client.create(statefulSets, statefulSet(0))
  await client.create(jobs, job('runs'))
  await setAllWorkloadsReady(client)
  const before = server.resourceVersion
  await setAllWorkloadsReady(client)
  t.equal(server.resourceVersion, before)
  t.match((await client.get(statefulSets, key)).status, { observedGeneration: 1, replicas: 0 })
})

void t.test('a name without a workload is an error', async (t) => {
  const { client } = await cluster()
  await t.rejects(setWorkloadReady(client, { metadata: key }), { code: 404 })
})

void t.test('a claim gets a volume, and a load balancer an address', async (t) => {
  const { client, server } = await cluster()
  const resources = { requests: { storage: '1Gi' } }
  await client.create(persistentVolumeClaims, {
    metadata: key,
    spec: { accessModes: ['ReadWriteOnce'], resources },
  })
  for (const type of ['LoadBalancer', 'ClusterIP'])
    await client.create(services, {
      metadata: { ...key, name: type.toLowerCase() },
      spec: { type, ports: [{ port: 80 }] },
    })
  await setAllWorkloadsReady(client)
  const { status: claim } = await client.get(persistentVolumeClaims, key)
  t.match(claim, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } })
  const addresses = async (name: string) =>
    (await client.get(services, { ...key, name })).status?.loadBalancer?.ingress
  t.match(await addresses('loadbalancer'), [{ ip: '192.0.2.1' }])
  t.equal(await addresses('clusterip'), undefined)
  const before = server.resourceVersion
  await setAllWorkloadsReady(client)
  t.equal(server.resourceVersion, before)
})

void t.test(
  'a volume grows with the request of its claim if the class allows it, and never shrinks',
  async (t) => {
    const { client, server } = await cluster()
    for (const allowVolumeExpansion of [true, false])
      await client.create(storageClasses, {
        metadata: { name: `expands-${allowVolumeExpansion}` },
        provisioner: 'example.com/disk',
        allowVolumeExpansion,
      } as never)
    const claim = async (storageClassName: string) => {
      const claimKey = { ...key, name: storageClassName }
      const resources = { requests: { storage: '1Gi' } }
      const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName }
      await client.create(persistentVolumeClaims, { metadata: claimKey, spec })
      await setAllWorkloadsReady(client)
      return claimKey
    }
    const request = (claimKey: typeof key, storage: string) => {
      const body = { spec: { resources: { requests: { storage } } } }
      return client.patch(persistentVolumeClaims, claimKey, { type: 'merge', body })
    }
    const grows = await claim('expands-true')
    await request(grows, '2Gi')
    await setAllWorkloadsReady(client)
    const capacity = async () => (await client.get(persistentVolumeClaims, grows)).status?.capacity
    t.strictSame(await capacity(), { storage: '2Gi' })
    const body = { status: { capacity: { storage: '5Gi' } } }
    await client.patch(persistentVolumeClaims, grows, { type: 'merge', subresource: 'status', body })
    await request(grows, '3Gi')
    const before = server.resourceVersion
    await setAllWorkloadsReady(client)
    t.equal(server.resourceVersion, before)
    t.strictSame(await capacity(), { storage: '5Gi' })
    await t.rejects(
      request(await claim('expands-false'), '2Gi'),
      /only dynamically provisioned pvc can be resized/,
    )
  },
)

void t.test('an APIService of a Service is available, unless a test says that it is not', async (t) => {
  const { client } = await cluster()
  const apiService = (version: string, service?: { namespace: string; name: string }) =>
    client.create(apiServices, {
      metadata: { name: `${version}.metrics.example.com` },
      spec: {
        group: 'metrics.example.com',
        version,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        ...(service && { service, insecureSkipTLSVerify: true }),
      },
    })
  const availability = async (version: string) => {
    const { status } = await client.get(apiServices, {
      namespace: '',
      name: `${version}.metrics.example.com`,
    })
    return status?.conditions?.find(({ type }) => type === 'Available')?.status
  }
  for (const version of ['v1', 'v2']) await apiService(version, key)
  await apiService('v3')
  const conditions = [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }]
  await client.patch(
    apiServices,
    { namespace: '', name: 'v2.metrics.example.com' },
    { type: 'merge', subresource: 'status', body: { status: { conditions } } },
  )
  await setAllWorkloadsReady(client)
  t.strictSame(await Promise.all(['v1', 'v2', 'v3'].map(availability)), ['True', 'False', undefined])
})
