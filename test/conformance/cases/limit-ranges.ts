import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const source = 'k8s.io/kubernetes plugin/pkg/admission/limitranger/admission.go @ v1.36.3'

/** Limits are enforced as soon as the server has seen them. */
async function withLimits(client: CaseClient, ...limits: readonly object[]): Promise<void> {
  await client.make('limitranges', { metadata: { name: 'limits' }, spec: { limits } })
}

const pod = (resources: object, more: object = {}) => ({
  metadata: { name: 'a' },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources }], ...more },
})

/** A case about a pod that does not fit the limits of its namespace. */
function refuses(name: string, { limit, given, why }: { limit: object; given: object; why: string }): Case {
  return {
    name,
    source,
    async run(client) {
      await withLimits(client, limit)
      let answer = await client.post('pods?dryRun=All', given)
      await client.until('the limits are enforced', async () => {
        answer = await client.post('pods?dryRun=All', given)
        return answer.status === 403
      })
      client.expect.refused(answer, {
        code: 403,
        reason: 'Forbidden',
        message: `pods "a" is forbidden: ${why}`,
        details: { name: 'a', kind: 'pods' },
      })
    },
  }
}

/** Defaults and limits of LimitRanges. */
export const limitRanges: CaseGroup = {
  name: 'limit-ranges',
  cases: [
    {
      name: 'containers get the default requests and limits, and an annotation says which',
      source,
      async run(client) {
        await withLimits(client, {
          type: 'Container',
          default: { cpu: '500m', memory: '1Gi' },
          defaultRequest: { cpu: '100m' },
        })
        const containers = [
          { name: 'c', image: 'i', resources: { requests: { cpu: '50m' } } },
          { name: 'd', image: 'i', resources: { limits: { cpu: '200m', memory: '64Mi' } } },
        ]
        const initContainers = [{ name: 'first', image: 'i' }]
        const given = {
          metadata: { name: 'a', annotations: { mine: 'x' } },
          spec: { automountServiceAccountToken: false, containers, initContainers },
        }
        let answer = await client.post('pods?dryRun=All', given)
        await client.until('the defaults are set', async () => {
          answer = await client.post('pods?dryRun=All', given)
          return JSON.stringify(answer.body).includes('LimitRanger')
        })
        client.expect.answer(answer, 201, {
          metadata: {
            annotations: {
              mine: 'x',
              'kubernetes.io/limit-ranger':
                'LimitRanger plugin set: memory request for container c; cpu, memory limit for container c; cpu, memory request for init container first; cpu, memory limit for init container first',
            },
          },
          spec: {
            containers: [
              {
                name: 'c',
                resources: {
                  limits: { cpu: '500m', memory: '1Gi' },
                  requests: { cpu: '50m', memory: '1Gi' },
                },
              },
              {
                name: 'd',
                resources: {
                  limits: { cpu: '200m', memory: '64Mi' },
                  requests: { cpu: '200m', memory: '64Mi' },
                },
              },
            ],
            initContainers: [
              {
                resources: {
                  limits: { cpu: '500m', memory: '1Gi' },
                  requests: { cpu: '100m', memory: '1Gi' },
                },
              },
            ],
          },
          status: { qosClass: 'Burstable' },
        })
      },
    },
    refuses('a container must not ask for more than the maximum', {
      limit: { type: 'Container', max: { cpu: '1' } },
      given: pod({ limits: { cpu: '1500m' } }),
      why: 'maximum cpu usage per Container is 1, but limit is 1500m',
    }),
    refuses('a container must have the minimum', {
      limit: { type: 'Container', min: { memory: '64Mi' } },
      given: pod({ requests: { memory: '1Mi' } }),
      why: 'minimum memory usage per Container is 64Mi, but request is 1Mi',
    }),
    refuses('a pod under a minimum must have a request', {
      limit: { type: 'Pod', min: { memory: '64Mi' } },
      given: pod({}),
      why: 'minimum memory usage per Pod is 64Mi.  No request is specified',
    }),
    refuses('the ratio of limit and request is bounded', {
      limit: { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      given: pod({ requests: { cpu: '100m' }, limits: { cpu: '350m' } }),
      why: 'cpu max limit to request ratio per Container is 2, but provided ratio is 3.500000',
    }),
    refuses('the sum of the containers of a pod is bounded', {
      limit: { type: 'Pod', max: { cpu: '1' } },
      given: pod(
        {},
        {
          containers: ['c', 'd'].map((name) => ({
            name,
            image: 'i',
            resources: { limits: { cpu: '600m' } },
          })),
        },
      ),
      why: 'maximum cpu usage per Pod is 1, but limit is 1200m',
    }),
    refuses('every broken limit is reported', {
      limit: { type: 'Container', min: { cpu: '100m' }, max: { memory: '1Gi' } },
      given: pod({ requests: { cpu: '1m' }, limits: { memory: '2Gi' } }),
      why: '[minimum cpu usage per Container is 100m, but request is 1m, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    }),
    {
      name: 'the size of claims is bounded',
      source,
      async run(client) {
        await withLimits(client, {
          type: 'PersistentVolumeClaim',
          min: { storage: '1Gi' },
          max: { storage: '2Gi' },
        })
        const claim = (storage: string) => ({
          metadata: { name: 'a' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
        })
        let answer = await client.post('persistentvolumeclaims?dryRun=All', claim('3Gi'))
        await client.until('the limits are enforced', async () => {
          answer = await client.post('persistentvolumeclaims?dryRun=All', claim('3Gi'))
          return answer.status === 403
        })
        client.expect.has(answer.body, {
          message:
            'persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
        })
        const small = await client.post('persistentvolumeclaims?dryRun=All', claim('1Mi'))
        client.expect.has(small.body, {
          message:
            'persistentvolumeclaims "a" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
        })
        client.expect.answer(await client.post('persistentvolumeclaims?dryRun=All', claim('1Gi')), 201)
      },
    },
  ],
}
