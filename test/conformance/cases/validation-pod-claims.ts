import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const containers = [{ name: 'c', image: 'i' }]
const pod = (spec: object) => ({ spec: { automountServiceAccountToken: false, containers, ...spec } })
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** Refused values of the claims of pods, of their host names and of other rare fields. */
export const refusedPodClaims: CaseGroup = {
  name: 'validation-pod-claims',
  cases: [
    refuses(
      'a claim of a pod has a name and one source',
      'pods',
      { kind: 'Pod' },
      pod({
        resourceClaims: [
          { name: 'A_' },
          { name: 'a', resourceClaimName: 'B_' },
          { name: 'b', resourceClaimTemplateName: 'B_' },
          { name: 'c', resourceClaimName: 'd', resourceClaimTemplateName: 'e' },
          { name: 'd', resourceClaimName: 'd' },
        ],
      }),
      `spec.resourceClaims[0].name: Invalid value: "A_": ${label}`,
      'spec.resourceClaims[0]: Invalid value: {"Name":"A_","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      `spec.resourceClaims[1].resourceClaimName: Invalid value: "B_": ${subdomain}`,
      `spec.resourceClaims[2].resourceClaimTemplateName: Invalid value: "B_": ${subdomain}`,
      'spec.resourceClaims[3]: Invalid value: {"Name":"c","ResourceClaimName":"d","ResourceClaimTemplateName":"e"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    ),
    refuses(
      'the claims of a container are those of its pod, each once',
      'pods',
      { kind: 'Pod' },
      pod({
        resourceClaims: [{ name: 'a', resourceClaimName: 'x' }],
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: {
              claims: [{ name: 'a' }, { name: 'a', request: 'r' }, { name: 'b', request: 'R_' }],
            },
          },
        ],
      }),
      'spec.containers[0].resources.claims[1]: Duplicate value: "a"',
      `spec.containers[0].resources.claims[2].request: Invalid value: "R_": ${label}`,
      'spec.containers[0].resources.claims[2]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a',
    ),
    refuses(
      'the name that a pod has instead of its own is a name, and the only one',
      'pods',
      { kind: 'Pod' },
      pod({ hostnameOverride: 'A_', hostNetwork: true, setHostnameAsFQDN: true }),
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      `spec.hostnameOverride: Invalid value: "A_": ${subdomain}`,
    ),
    refuses(
      'the other names of hosts are names of addresses',
      'pods',
      { kind: 'Pod' },
      pod({ hostAliases: [{ ip: 'x', hostnames: ['A_', 'b'] }], readinessGates: [{ conditionType: 'a/b' }] }),
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      `spec.hostAliases[0].hostnames[0]: Invalid value: "A_": ${subdomain}`,
    ),
    refuses(
      'a pod as a whole has cores, memory and huge pages',
      'pods',
      { kind: 'Pod' },
      pod({
        resources: { claims: [{ name: 'a' }], limits: { pods: '1' } },
        resourceClaims: [{ name: 'a', resourceClaimName: 'x' }],
      }),
      'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
      'spec.resources.limits[pods]: Unsupported value: "pods": supported values: "cpu", "hugepages-", "memory"',
    ),
    refuses(
      'a pod has at least what its containers have',
      'pods',
      { kind: 'Pod' },
      pod({
        resources: { requests: { cpu: '1' }, limits: { cpu: '1500m' } },
        containers: [
          { name: 'c', image: 'i', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } },
          { name: 'd', image: 'i', resources: { requests: { cpu: '1' } } },
        ],
      }),
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1500m',
    ),
    refuses(
      'huge pages are whole pages, and not alone',
      'pods',
      { kind: 'Pod' },
      pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { 'hugepages-2Mi': '2Mi' } } }] }),
      'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
    ),
    {
      name: 'a pod with limits asks for what its containers ask for, or for its limits',
      source: 'k8s.io/kubernetes pkg/apis/core/v1/defaults.go @ v1.36.3',
      async run({ post, expect }) {
        const asking = [{ ...containers[0], resources: { requests: { cpu: '100m' } } }]
        const limits = { cpu: '1', memory: '1Gi' }
        const answer = await post('pods', {
          metadata: { name: 'a' },
          ...pod({ containers: asking, resources: { limits } }),
        })
        const resources = { limits, requests: { cpu: '100m', memory: '1Gi' } }
        expect.answer(answer, 201, { spec: { resources }, status: { qosClass: 'Burstable' } })
      },
    },
    refuses(
      'affinities name nodes and pods, and have weights',
      'pods',
      { kind: 'Pod' },
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'a', operator: 'In' }] },
                { matchFields: [{ key: 'spec.x', operator: 'Exists' }] },
              ],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
          },
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a b', namespaces: ['A_'] }],
          },
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, podAffinityTerm: { topologyKey: 'a' } },
            ],
          },
        },
      }),
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
      `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: "A_": ${label}`,
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
    ),
    {
      name: 'a pod keeps the quality of service class that it is created with',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3',
      async run({ post, expect }) {
        const asked = {
          metadata: { name: 'a' },
          ...pod({}),
          status: { qosClass: 'Guaranteed', phase: 'Running' },
        }
        expect.answer(await post('pods', asked), 201, {
          status: { qosClass: 'Guaranteed', phase: 'Pending' },
        })
      },
    },
    {
      name: 'the counts of a PodDisruptionBudget are not negative',
      source: 'k8s.io/kubernetes pkg/apis/policy/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, spec: { minAvailable: 1 } })
        const status = { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: 0, expectedPods: -2 }
        expect.invalid(await patch('poddisruptionbudgets/a/status', 'merge', { status }), {
          kind: 'PodDisruptionBudget',
          group: 'policy',
          name: 'a',
          because: [
            'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
            'status.currentHealthy: Invalid value: -1: must be greater than or equal to 0',
            'status.expectedPods: Invalid value: -2: must be greater than or equal to 0',
          ],
        })
      },
    },
    {
      name: 'the time at which a volume changed its phase has no owner',
      source: 'k8s.io/kubernetes pkg/registry/core/persistentvolume/strategy.go @ v1.36.3',
      async run({ make, patch, delete: remove, namespace: name, expect }) {
        const spec = {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        }
        await make('persistentvolumes', { metadata: { name }, spec })
        const reference = `persistentvolumes/${name}/status?fieldManager=binder`
        const { body } = await patch(reference, 'merge', { status: { phase: 'Released' } })
        const entries = (body.metadata.managedFields ?? []).map((each) => Object(each))
        const owned = entries.find(({ manager }) => manager === 'binder')?.fieldsV1
        expect.same(owned, { 'f:status': { 'f:phase': {} } })
        await remove(`persistentvolumes/${name}`)
      },
    },
  ],
}
