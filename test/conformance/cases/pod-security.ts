import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const source = 'k8s.io/pod-security-admission @ v0.36.3; Kubernetes documentation, Pod Security Standards'

const prefix = 'pod-security.kubernetes.io/'

const secure = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}

const pod = (spec: object, container: object = {}, metadata: object = {}) => ({
  metadata: { name: 'a', ...metadata },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i', ...container }],
    ...spec,
  },
})

const labelled = (labels: Readonly<Record<string, string | null>>) => ({
  metadata: {
    labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [prefix + key, value])),
  },
})

/** Labels the namespace of the case, and waits until the server has seen it. */
async function label(client: CaseClient, labels: Readonly<Record<string, string>>): Promise<Answer> {
  const answer = await client.patch(`namespaces/${client.namespace}`, 'merge', labelled(labels))
  client.expect.answer(answer, 200)
  return answer
}

function isRefused(client: CaseClient, answer: Answer, why: string): void {
  client.expect.refused(answer, {
    code: 403,
    reason: 'Forbidden',
    message: `pods "a" is forbidden: violates PodSecurity ${why}`,
    details: { name: 'a', kind: 'pods' },
  })
}

/** Creates a pod until the new labels are in force. */
async function refusedPod(client: CaseClient, given: object): Promise<Answer> {
  let answer = await client.post('pods?dryRun=All', given)
  await client.until('the level is enforced', async () => {
    answer = await client.post('pods?dryRun=All', given)
    return answer.status !== 201
  })
  return answer
}

/** A case about a pod that a level does not allow. */
function refuses(
  name: string,
  { labels, given, why }: { labels: Readonly<Record<string, string>>; given: object; why: string },
): Case {
  return {
    name,
    source,
    async run(client) {
      await label(client, labels)
      isRefused(client, await refusedPod(client, given), why)
    },
  }
}

const warningOf = ({ headers }: Answer) => headers.warning

/** Pod Security, by the labels of namespaces. */
export const podSecurity: CaseGroup = {
  name: 'pod-security',
  cases: [
    refuses('the level restricted names all that a plain pod lacks', {
      labels: { enforce: 'restricted' },
      given: pod({}),
      why: '"restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    }),
    refuses('the level baseline names all that a dangerous pod uses', {
      labels: { enforce: 'baseline' },
      given: pod(
        {
          hostNetwork: true,
          hostPID: true,
          volumes: [{ name: 'host', hostPath: { path: '/' } }],
          securityContext: {
            appArmorProfile: { type: 'Unconfined' },
            seLinuxOptions: { type: 'spc_t', user: 'system_u' },
            seccompProfile: { type: 'Unconfined' },
            sysctls: [{ name: 'kernel.msgmax', value: '1' }],
          },
        },
        {
          ports: [{ containerPort: 80, hostPort: 80 }],
          securityContext: { capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'BPF'] } },
          livenessProbe: { httpGet: { port: 80, host: '127.0.0.1' } },
        },
      ),
      why: '"baseline:latest": forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined"), non-default capabilities (container "c" must not include "BPF", "SYS_ADMIN" in securityContext.capabilities.add), host namespaces (hostNetwork=true, hostPID=true), hostPath volumes (volume "host"), hostPort (container "c" uses hostPort 80), probe or lifecycle host (container "c" uses probe or lifecycle host "127.0.0.1"), seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set), seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined"), forbidden sysctls (kernel.msgmax)',
    }),
    refuses('several containers are named in one message', {
      labels: { enforce: 'restricted' },
      given: pod({
        containers: ['c', 'd'].map((name) => ({
          name,
          image: 'i',
          securityContext: { ...secure, runAsUser: 0 },
        })),
        initContainers: [{ name: 'first', image: 'i', securityContext: { ...secure, runAsNonRoot: false } }],
        volumes: [
          { name: 'disk', nfs: { server: 'x', path: '/' } },
          { name: 'host', hostPath: { path: '/' } },
        ],
      }),
      why: '"restricted:latest": restricted volume types (volumes "disk", "host" use restricted volume types "hostPath", "nfs"), runAsNonRoot != true (container "first" must not set securityContext.runAsNonRoot=false), runAsUser=0 (containers "c", "d" must not set runAsUser=0)',
    }),
    refuses('a level in an older version has the checks of that version', {
      labels: { enforce: 'restricted', 'enforce-version': 'v1.21' },
      given: pod({}, { securityContext: { runAsUser: 0, allowPrivilegeEscalation: false } }),
      why: '"restricted:v1.21": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    }),
    {
      name: 'a restricted pod is allowed, without a warning',
      source,
      async run(client) {
        await label(client, { enforce: 'restricted' })
        await refusedPod(client, pod({}))
        const answer = await client.post('pods?dryRun=All', pod({}, { securityContext: secure }))
        client.expect.answer(answer, 201)
        client.expect.same(warningOf(answer), undefined)
      },
    },
    {
      name: 'a namespace that only warns allows the pod',
      source,
      async run(client) {
        await label(client, { warn: 'baseline', audit: 'restricted' })
        const given = pod({ hostIPC: true })
        let answer = await client.post('pods?dryRun=All', given)
        await client.until('the server warns', async () => {
          answer = await client.post('pods?dryRun=All', given)
          return warningOf(answer) !== undefined
        })
        client.expect.answer(answer, 201)
        client.expect.same(
          warningOf(answer),
          '299 - "would violate PodSecurity \\"baseline:latest\\": host namespaces (hostIPC=true)"',
        )
      },
    },
    {
      name: 'workloads are created, with a warning about their pods',
      source,
      async run(client) {
        await label(client, { enforce: 'baseline', 'enforce-version': 'v1.30' })
        const labels = { a: 'b' }
        const template = { metadata: { labels }, spec: pod({ hostPID: true }).spec }
        const kinds: Readonly<Record<string, object>> = {
          deployments: { selector: { matchLabels: labels }, template },
          daemonsets: { selector: { matchLabels: labels }, template },
          statefulsets: { selector: { matchLabels: labels }, serviceName: 'x', template },
          replicasets: { selector: { matchLabels: labels }, template },
          jobs: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
          cronjobs: {
            schedule: '0 0 * * *',
            jobTemplate: {
              spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
            },
          },
        }
        await refusedPod(client, pod({ hostPID: true }))
        for (const [plural, spec] of Object.entries(kinds)) {
          const answer = await client.post(`${plural}?dryRun=All`, { metadata: { name: 'a' }, spec })
          client.expect.answer(answer, 201)
          client.expect.same(
            warningOf(answer),
            '299 - "would violate PodSecurity \\"baseline:v1.30\\": host namespaces (hostPID=true)"',
          )
        }
      },
    },
    {
      name: 'a change of labels of a pod is allowed, and another image is checked again',
      source,
      async run(client) {
        await client.make('pods', pod({ hostPID: true }))
        const baseline = labelled({ enforce: 'baseline' })
        let answer = await client.get('pods/a')
        // A real server learns late of pods, and that the level is stricter.
        await client.until('the server warns of the pod', async () => {
          answer = await client.patch(`namespaces/${client.namespace}?dryRun=All`, 'merge', baseline)
          return warningOf(answer) !== undefined
        })
        await label(client, { enforce: 'baseline' })
        client.expect.same(
          warningOf(answer),
          `299 - "existing pods in namespace \\"${client.namespace}\\" violate the new PodSecurity enforce level \\"baseline:latest\\"", 299 - "a: host namespaces"`,
        )
        await refusedPod(client, pod({ hostPID: true }, {}, { name: 'b' }))
        client.expect.answer(await client.patch('pods/a', 'merge', { metadata: { labels: { x: 'y' } } }), 200)
        const spec = { containers: [{ name: 'c', image: 'other' }] }
        isRefused(
          client,
          await client.patch('pods/a', 'strategic', { spec }),
          '"baseline:latest": host namespaces (hostPID=true)',
        )
      },
    },
    {
      name: 'labels that are not valid are refused',
      source,
      async run(client) {
        const { namespace } = client
        const bad = labelled({ enforce: 'baselin', 'warn-version': '1.2' })
        client.expect.invalid(await client.patch(`namespaces/${namespace}`, 'merge', bad), {
          kind: 'Namespace',
          name: namespace,
          because: [
            `metadata.labels[${prefix}enforce]: Invalid value: "baselin": must be one of privileged, baseline, restricted`,
            `metadata.labels[${prefix}warn-version]: Invalid value: "1.2": must be "latest" or "v1.x"`,
          ],
        })
      },
    },
  ],
}
