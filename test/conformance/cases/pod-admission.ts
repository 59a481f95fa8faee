import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const priority = 'k8s.io/kubernetes plugin/pkg/admission/priority/admission.go @ v1.36.3'
const runtime = 'k8s.io/kubernetes plugin/pkg/admission/runtimeclass/admission.go @ v1.36.3'
const validation = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'

const containers = [{ name: 'c', image: 'i' }]

/** Names of cluster-scoped objects are unique to the case. */
const ownName = ({ namespace }: CaseClient) => namespace

function postPod({ post }: CaseClient, spec: object): Promise<Answer> {
  return post('pods?dryRun=All', {
    metadata: { name: 'a' },
    spec: { automountServiceAccountToken: false, containers, ...spec },
  })
}

/** A case about a pod that admission rejects. */
function forbids(name: string, source: string, spec: object, why: string): Case {
  return {
    name,
    source,
    async run(client) {
      client.expect.refused(await postPod(client, spec), {
        code: 403,
        reason: 'Forbidden',
        message: `pods "a" is forbidden: ${why}`,
        details: { name: 'a', kind: 'pods' },
      })
    },
  }
}

const computed = (what: string) =>
  `must not be provided in pod spec; priority admission controller computed ${what} from the given PriorityClass name`

/** A case about an invalid status of a pod. */
function refusesStatus(name: string, status: object, ...because: readonly string[]): Case {
  return {
    name,
    source: validation,
    async run({ make, patch, expect }) {
      await make('pods', {
        metadata: { name: 'a' },
        spec: { automountServiceAccountToken: false, containers },
      })
      expect.invalid(await patch('pods/a/status', 'merge', { status }), { kind: 'Pod', name: 'a', because })
    },
  }
}

const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const notDual = 'may specify no more than one IP for each IP family'
const noClaim = 'must match the name of an entry in `spec.resourceClaims`'

/** The admission of pods, and the validation of their status. */
export const podAdmission: CaseGroup = {
  name: 'pod-admission',
  cases: [
    forbids(
      'a pod cannot set its priority',
      priority,
      { priority: 5 },
      `the integer value of priority (5) ${computed('0')}`,
    ),
    forbids(
      'a pod cannot set its preemption policy, which is checked first',
      priority,
      { preemptionPolicy: 'tcp', restartPolicy: 'Sometimes' },
      `the string value of PreemptionPolicy (tcp) ${computed('PreemptLowerPriority')}`,
    ),
    forbids(
      'the priority class of a pod must exist',
      priority,
      { priorityClassName: 'missing' },
      'no PriorityClass with name missing was found',
    ),
    {
      name: 'a pod has the priority of its class, and may state the same',
      source: priority,
      async run(client) {
        const name = ownName(client)
        await client.make('priorityclasses', { metadata: { name }, value: 7, preemptionPolicy: 'Never' })
        const own = { priorityClassName: name, priority: 7, preemptionPolicy: 'Never' }
        const answer = await postPod(client, { priorityClassName: name })
        client.expect.answer(answer, 201, { spec: own })
        client.expect.answer(await postPod(client, own), 201, { spec: own })
        const system = { priorityClassName: 'system-node-critical', priority: 2_000_001_000 }
        client.expect.answer(await postPod(client, { priorityClassName: system.priorityClassName }), 201, {
          spec: system,
        })
      },
    },
    forbids(
      'the runtime class of a pod must exist',
      runtime,
      { runtimeClassName: 'missing' },
      'pod rejected: RuntimeClass "missing" not found',
    ),
    forbids(
      'a pod cannot set overhead without a runtime class',
      runtime,
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ),
    {
      name: 'a pod gets the overhead, the node selector and the tolerations of its runtime class',
      source: runtime,
      async run(client) {
        const name = ownName(client)
        const toleration = { key: 'sandbox', operator: 'Exists' }
        const scheduling = { nodeSelector: { sandbox: 'yes' }, tolerations: [toleration] }
        const overhead = { podFixed: { cpu: '100m' } }
        await client.make('runtimeclasses', { metadata: { name }, handler: 'h', overhead, scheduling })
        const answer = await postPod(client, { runtimeClassName: name, nodeSelector: { disk: 'ssd' } })
        client.expect.answer(answer, 201, {
          spec: { overhead: { cpu: '100m' }, nodeSelector: { disk: 'ssd', sandbox: 'yes' } },
        })
        const { tolerations } = Object(answer.body.spec) as { tolerations: { key: string }[] }
        client.expect.same(tolerations.map(({ key }) => key).includes('sandbox'), true)
        const clash = await postPod(client, { runtimeClassName: name, nodeSelector: { sandbox: 'no' } })
        client.expect.has(clash.body, {
          code: 403,
          message:
            'pods "a" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
        })
        const other = await postPod(client, { runtimeClassName: name, overhead: { cpu: '1' } })
        client.expect.has(other.body, {
          code: 403,
          message:
            "pods \"a\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        })
      },
    },
    {
      name: 'a scheduling group is dropped from pods and pod templates',
      source: 'k8s.io/kubernetes pkg/api/pod/util.go @ v1.36.3',
      async run(client) {
        const schedulingGroup = { podGroupName: 'x' }
        const pod = await postPod(client, { schedulingGroup })
        client.expect.answer(pod, 201, { spec: { schedulingGroup: undefined } })
        const labels = { app: 'a' }
        const spec = { containers, schedulingGroup }
        const template = { metadata: { labels }, spec }
        const wanted = { selector: { matchLabels: labels }, template }
        const job = { template: { spec: { ...spec, restartPolicy: 'Never' } } }
        const none = { template: { spec: { schedulingGroup: undefined } } }
        for (const [resource, asked, expected] of [
          ['deployments', { spec: wanted }, { spec: none }],
          ['replicasets', { spec: wanted }, { spec: none }],
          ['statefulsets', { spec: wanted }, { spec: none }],
          ['daemonsets', { spec: wanted }, { spec: none }],
          ['replicationcontrollers', { spec: { selector: labels, template } }, { spec: none }],
          ['jobs', { spec: job }, { spec: none }],
          [
            'cronjobs',
            { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } },
            { spec: { jobTemplate: { spec: none } } },
          ],
          ['podtemplates', { template }, none],
        ] as const) {
          const answer = await client.post(`${resource}?dryRun=All`, { metadata: { name: 'a' }, ...asked })
          client.expect.answer(answer, 201, expected)
        }
      },
    },
    {
      name: 'a dropped scheduling group does not change the generation',
      source: 'k8s.io/kubernetes pkg/api/pod/util.go @ v1.36.3',
      async run({ make, patch, expect }) {
        const labels = { app: 'a' }
        const template = { metadata: { labels }, spec: { containers } }
        await make('deployments', {
          metadata: { name: 'a' },
          spec: { selector: { matchLabels: labels }, template },
        })
        const change = { spec: { template: { spec: { schedulingGroup: { podGroupName: 'x' } } } } }
        expect.answer(await patch('deployments/a', 'merge', change), 200, { metadata: { generation: 1 } })
      },
    },
    refusesStatus(
      'the address of the host is the first of its addresses',
      { hostIPs: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }] },
      'status.hostIPs[0].ip: Invalid value: "1.2.3.4": must be equal to `hostIP`',
      `status.hostIPs: Invalid value: [{"IP":"1.2.3.4"},{"IP":"1.2.3.5"}]: ${notDual}`,
    ),
    refusesStatus(
      'addresses of pods and hosts must be valid',
      { podIPs: [{ ip: 'x' }], hostIP: 'y', hostIPs: [{ ip: 'y' }] },
      `status.podIPs[0]: Invalid value: "x": ${noAddress}`,
      `status.hostIPs[0]: Invalid value: "y": ${noAddress}`,
    ),
    refusesStatus(
      'a pod has one address per family',
      { podIPs: [{ ip: '1.2.3.4' }, { ip: '::1' }, { ip: '::2' }] },
      `status.podIPs: Invalid value: [{"IP":"1.2.3.4"},{"IP":"::1"},{"IP":"::2"}]: ${notDual}`,
    ),
    refusesStatus(
      'the claims in a status must be claims of the pod',
      { resourceClaimStatuses: [{ name: 'x' }, { name: 'x' }] },
      `status.resourceClaimStatuses[0].name: Invalid value: "x": ${noClaim}`,
      `status.resourceClaimStatuses[1].name: Invalid value: "x": ${noClaim}`,
      'status.resourceClaimStatuses[1].name: Duplicate value: "x"',
    ),
    {
      name: 'a terminated container without restarts cannot start again',
      source: validation,
      async run({ make, patch, expect }) {
        const spec = { automountServiceAccountToken: false, containers, restartPolicy: 'Never' }
        await make('pods', { metadata: { name: 'a' }, spec })
        const status = (state: object) => ({
          status: {
            containerStatuses: [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state }],
          },
        })
        const ended = status({ terminated: { exitCode: 1, reason: 'Error' } })
        expect.answer(await patch('pods/a/status', 'merge', ended), 200)
        expect.invalid(await patch('pods/a/status', 'merge', status({ terminated: null, running: {} })), {
          kind: 'Pod',
          name: 'a',
          because: [
            'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
          ],
        })
      },
    },
    {
      name: 'the address of the host is used as its only one',
      source: 'k8s.io/kubernetes pkg/apis/core/v1/conversion.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('pods', {
          metadata: { name: 'a' },
          spec: { automountServiceAccountToken: false, containers },
        })
        const status = { hostIP: '1.2.3.4', podIP: '1.2.3.5' }
        expect.answer(await patch('pods/a/status', 'merge', { status }), 200, {
          status: { ...status, hostIPs: undefined, podIPs: [{ ip: '1.2.3.5' }] },
        })
      },
    },
  ],
}
