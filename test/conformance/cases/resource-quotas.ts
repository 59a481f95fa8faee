import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const source =
  'k8s.io/apiserver pkg/admission/plugin/resourcequota @ v0.36.3; Kubernetes documentation, Resource Quotas'

const quota = 'resourcequotas/quota'

type Amounts = Readonly<Record<string, string>>

interface Quota {
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts }
}

/** Makes a quota, and waits until its usage is known. */
async function withQuota(client: CaseClient, hard: Amounts, more: object = {}): Promise<void> {
  await client.make('resourcequotas', { metadata: { name: 'quota' }, spec: { hard, ...more } })
  await client.until('the usage is known', async () => {
    const { status = {} } = (await client.read(quota)) as Quota
    return Object.keys(status.used ?? {}).length === Object.keys(hard).length
  })
  await untilEnforced(client)
}

/**
 * Admission of a real server learns of quotas late, and an object that it did not count stays uncounted. It learns of
 * them in their order, so a later one that allows no leases shows when it knows the earlier one.
 */
async function untilEnforced(client: CaseClient): Promise<void> {
  const hard = { 'count/leases.coordination.k8s.io': '0' }
  await client.make('resourcequotas', { metadata: { name: 'probe' }, spec: { hard } })
  await client.until('quotas are enforced', async () => {
    const { status } = await client.post('leases?dryRun=All', { metadata: { name: 'a' } })
    return status === 403
  })
}

async function usedIs(client: CaseClient, expected: Amounts): Promise<void> {
  let used: Amounts | undefined
  await client
    .until(`${JSON.stringify(expected)} is used`, async () => {
      used = ((await client.read(quota)) as Quota).status?.used
      return JSON.stringify(used) === JSON.stringify(expected)
    })
    .catch((error: unknown) => {
      throw new Error(`${String(error)}; used is ${JSON.stringify(used)}`)
    })
}

/** Creates an object as soon as admission knows that the quota is free again, which a real server learns late. */
async function createdOnceFree(client: CaseClient, reference: string, body: object): Promise<void> {
  await client.until(`${reference} can be created again`, async () => {
    const { status } = await client.post(reference, body)
    return status === 201
  })
}

function refused(client: CaseClient, answer: Answer, { plural, group, name, why }: Refusal): void {
  const resource = group === undefined ? plural : `${plural}.${group}`
  client.expect.refused(answer, {
    code: 403,
    reason: 'Forbidden',
    message: `${resource} "${name}" is forbidden: ${why}`,
    details: { name, ...(group === undefined ? {} : { group }), kind: plural },
  })
}

interface Refusal {
  readonly plural: string
  readonly group?: string
  readonly name: string
  readonly why: string
}

const pod = (name: string, resources: object, more: object = {}) => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources }], ...more },
})

const service = (name: string, type: string) => ({
  metadata: { name },
  spec: { type, ports: [{ port: 80 }, { port: 81, name: 'b' }].map((port) => ({ name: 'a', ...port })) },
})

/** Quotas of a namespace. */
export const resourceQuotas: CaseGroup = {
  name: 'resource-quotas',
  cases: [
    {
      name: 'a watch from an earlier version shows each usage with its own version',
      source,
      async run(client) {
        await withQuota(client, { 'count/configmaps': '10' })
        await usedIs(client, { 'count/configmaps': '1' })
        const { metadata } = await client.read('resourcequotas')
        for (const name of ['a', 'b', 'c']) await client.make('configmaps', { metadata: { name } })
        const since = metadata.resourceVersion
        const watch = await client.watch(
          `resourcequotas?resourceVersion=${since}&fieldSelector=metadata.name%3Dquota`,
        )
        const versions = (await watch.take(3)).map(({ object }) => Number(object.metadata.resourceVersion))
        client.expect.same(new Set([Number(since), ...versions]).size, 4)
        client.expect.same(
          [...versions].sort((one, other) => one - other),
          versions,
        )
      },
    },
    {
      name: 'a quota counts objects, and is free again when one is deleted',
      source,
      needs: 'controller-manager',
      async run(client) {
        await withQuota(client, { 'count/deployments.apps': '1', secrets: '1' })
        await client.make('secrets', { metadata: { name: 'a' } })
        // The controller of a real server may still write the usage from before.
        await usedIs(client, { 'count/deployments.apps': '0', secrets: '1' })
        refused(client, await client.post('secrets', { metadata: { name: 'b' } }), {
          plural: 'secrets',
          name: 'b',
          why: 'exceeded quota: quota, requested: secrets=1, used: secrets=1, limited: secrets=1',
        })
        const template = {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        }
        const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template }
        await client.make('deployments', { metadata: { name: 'a' }, spec })
        await usedIs(client, { 'count/deployments.apps': '1', secrets: '1' })
        refused(client, await client.post('deployments', { metadata: { name: 'b' }, spec }), {
          plural: 'deployments',
          group: 'apps',
          name: 'b',
          why: 'exceeded quota: quota, requested: count/deployments.apps=1, used: count/deployments.apps=1, limited: count/deployments.apps=1',
        })
        client.expect.answer(await client.delete('secrets/a'), 200)
        await usedIs(client, { 'count/deployments.apps': '1', secrets: '0' })
        await createdOnceFree(client, 'secrets', { metadata: { name: 'b' } })
      },
    },
    {
      name: 'a quota counts what pods request, and they must say it',
      source,
      needs: 'controller-manager',
      async run(client) {
        await withQuota(client, { 'limits.memory': '1Gi', pods: '3', 'requests.cpu': '1' })
        refused(client, await client.post('pods', pod('a', { limits: { cpu: '1' } })), {
          plural: 'pods',
          name: 'a',
          why: 'failed quota: quota: must specify limits.memory for: c',
        })
        refused(client, await client.post('pods', pod('a', {})), {
          plural: 'pods',
          name: 'a',
          why: 'failed quota: quota: must specify limits.memory for: c; requests.cpu for: c',
        })
        const half = { requests: { cpu: '600m' }, limits: { memory: '300Mi' } }
        client.expect.answer(await client.post('pods', pod('a', half)), 201)
        await usedIs(client, { 'limits.memory': '300Mi', pods: '1', 'requests.cpu': '600m' })
        refused(client, await client.post('pods', pod('b', half)), {
          plural: 'pods',
          name: 'b',
          why: 'exceeded quota: quota, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
        })
        client.expect.answer(
          await client.post('pods?dryRun=All', pod('b', { ...half, requests: { cpu: '0' } })),
          201,
        )
        await usedIs(client, { 'limits.memory': '300Mi', pods: '1', 'requests.cpu': '600m' })
      },
    },
    {
      name: 'a pod that has ended uses nothing but its place',
      source,
      needs: 'controller-manager',
      async run(client) {
        await withQuota(client, { 'count/pods': '2', cpu: '1', pods: '1' })
        client.expect.answer(await client.post('pods', pod('a', { requests: { cpu: '1' } })), 201)
        await usedIs(client, { 'count/pods': '1', cpu: '1', pods: '1' })
        client.expect.answer(
          await client.patch('pods/a/status', 'merge', { status: { phase: 'Succeeded' } }),
          200,
        )
        await usedIs(client, { 'count/pods': '1', cpu: '0', pods: '0' })
        await createdOnceFree(client, 'pods', pod('b', { requests: { cpu: '500m' } }))
        await usedIs(client, { 'count/pods': '2', cpu: '500m', pods: '1' })
      },
    },
    {
      name: 'a scope selects the pods that a quota counts',
      source,
      needs: 'controller-manager',
      async run(client) {
        await withQuota(client, { pods: '0' }, { scopes: ['BestEffort'] })
        refused(client, await client.post('pods', pod('a', {})), {
          plural: 'pods',
          name: 'a',
          why: 'exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0',
        })
        client.expect.answer(await client.post('pods', pod('a', { requests: { cpu: '1m' } })), 201)
        await usedIs(client, { pods: '0' })
      },
    },
    {
      name: 'a quota counts node ports and load balancers, also of a Service that changes its type',
      source,
      needs: 'controller-manager',
      async run(client) {
        await withQuota(client, { services: '3', 'services.loadbalancers': '0', 'services.nodeports': '3' })
        client.expect.answer(await client.post('services', service('a', 'ClusterIP')), 201)
        client.expect.answer(await client.post('services', service('b', 'NodePort')), 201)
        await usedIs(client, { services: '2', 'services.loadbalancers': '0', 'services.nodeports': '2' })
        refused(client, await client.patch('services/a', 'merge', { spec: { type: 'NodePort' } }), {
          plural: 'services',
          name: 'a',
          why: 'exceeded quota: quota, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
        })
        refused(client, await client.post('services', service('c', 'LoadBalancer')), {
          plural: 'services',
          name: 'c',
          why: 'exceeded quota: quota, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=0,services.nodeports=2, limited: services.loadbalancers=0,services.nodeports=3',
        })
        client.expect.answer(await client.patch('services/b', 'merge', { spec: { type: 'ClusterIP' } }), 200)
        await usedIs(client, { services: '2', 'services.loadbalancers': '0', 'services.nodeports': '0' })
      },
    },
    {
      name: 'a quota counts storage, also of one class',
      source,
      needs: 'controller-manager',
      async run(client) {
        const ofClass = 'gold.storageclass.storage.k8s.io/requests.storage'
        await withQuota(client, { [ofClass]: '2Gi', persistentvolumeclaims: '5', 'requests.storage': '10Gi' })
        const claim = (name: string, storageClassName: string, storage: string) => ({
          metadata: { name },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
        })
        client.expect.answer(await client.post('persistentvolumeclaims', claim('a', 'gold', '1536Mi')), 201)
        refused(client, await client.post('persistentvolumeclaims', claim('b', 'gold', '1Gi')), {
          plural: 'persistentvolumeclaims',
          name: 'b',
          why: `exceeded quota: quota, requested: ${ofClass}=1Gi, used: ${ofClass}=1536Mi, limited: ${ofClass}=2Gi`,
        })
        client.expect.answer(await client.post('persistentvolumeclaims', claim('b', 'tin', '1Gi')), 201)
        await usedIs(client, {
          [ofClass]: '1536Mi',
          persistentvolumeclaims: '2',
          'requests.storage': '2560Mi',
        })
      },
    },
  ],
}
