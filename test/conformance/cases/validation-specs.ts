import type { Case, CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const containers = [{ name: 'c', image: 'i' }]
const selector = { matchLabels: { a: 'b' } }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } }
const hpa = { kind: 'HorizontalPodAutoscaler', group: 'autoscaling' }
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const metrics = 'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"'
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }
const hostPaths = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate']
const zero = 'must be greater than or equal to 0'
const label =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** An invalid write to the status of an existing object. */
function refusesStatus(
  name: string,
  resource: string,
  { object, status }: { readonly object: object; readonly status: object },
  ...because: readonly string[]
): Case {
  return {
    name,
    source: 'k8s.io/kubernetes pkg/apis @ v1.36.3',
    async run({ make, patch, expect }) {
      await make(resource, { metadata: { name: 'a' }, ...object })
      const { status: code, body } = await patch(`${resource}/a/status`, 'merge', { status })
      const causes = (body.details as { causes?: { field: string; message: string }[] } | undefined)?.causes
      expect.same([code, causes?.map(({ field, message }) => `${field}: ${message}`)], [422, because])
    },
  }
}

const job = { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } }
/** A Job whose status the controller manager does not write at the same time. */
const unmanagedJob = { spec: { ...job.spec, managedBy: 'example.com/jobs' } }
const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }

/** Errors of specs and statuses of several kinds. */
export const refusedSpecs: CaseGroup = {
  name: 'validation-specs',
  cases: [
    refuses(
      'metrics and behavior of an autoscaler',
      'horizontalpodautoscalers',
      hpa,
      {
        apiVersion: 'autoscaling/v2',
        spec: {
          maxReplicas: 3,
          scaleTargetRef,
          metrics: [{ type: 'x' }, { type: 'Pods', pods: { metric: { name: '' }, target: { type: '' } } }],
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 65536,
              policies: [{ type: 'y', value: 0, periodSeconds: 1801 }],
            },
            scaleDown: { selectPolicy: 'z' },
          },
        },
      },
      `spec.metrics[0].type: Unsupported value: "x": ${metrics}`,
      `spec.metrics[0].type: Unsupported value: "x": ${metrics}`,
      'spec.metrics[1].pods.metric.name: Required value: must specify a metric name',
      'spec.metrics[1].pods.target.type: Required value: must specify a metric target type',
      'spec.metrics[1].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
      'spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue',
      'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 65536: must be less than or equal to 3600',
      'spec.behavior.scaleUp.policies[0].type: Unsupported value: "y": supported values: "Percent", "Pods"',
      'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
      'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      'spec.behavior.scaleDown.selectPolicy: Unsupported value: "z": supported values: "Disabled", "Max", "Min"',
    ),
    refuses(
      'a ReplicationController',
      'replicationcontrollers',
      { kind: 'ReplicationController' },
      { spec: { replicas: -1, selector: { a: 'c' }, template } },
      `spec.replicas: Invalid value: -1: ${zero}`,
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ),
    refuses(
      'the placement, DNS configuration and resize policy of a pod',
      'daemonsets',
      { kind: 'DaemonSet', group: 'apps' },
      {
        spec: {
          selector,
          template: {
            ...template,
            spec: {
              containers: [{ ...containers[0], resizePolicy: [{ resourceName: 'x', restartPolicy: 'é' }] }],
              dnsConfig: { nameservers: ['x'], searches: ['a_b', 'A'], options: [{}] },
              topologySpreadConstraints: [{ nodeAffinityPolicy: 'x', minDomains: 0 }],
              overhead: { cpu: '-1' },
              os: { name: 'x' },
            },
          },
        },
      },
      'spec.template.spec.containers[0].resizePolicy: Unsupported value: "x": supported values: "cpu", "memory"',
      'spec.template.spec.containers[0].resizePolicy: Unsupported value: "é": supported values: "NotRequired", "RestartContainer"',
      'spec.template.spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      `spec.template.spec.dnsConfig.searches[1]: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')`,
      'spec.template.spec.dnsConfig.options[0]: Required value: must not be empty',
      'spec.template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.template.spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.template.spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'spec.template.spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      'spec.template.spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ',
      'spec.template.spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"',
      `spec.template.spec.overhead.limits[cpu]: Invalid value: "-1": ${zero}`,
      'spec.template.spec.os: Unsupported value: "x": supported values: "linux", "windows"',
    ),
    refuses(
      'the policies of a Job',
      'jobs',
      { kind: 'Job', group: 'batch' },
      {
        spec: {
          ...job.spec,
          managedBy: 'a.b',
          podFailurePolicy: {
            rules: [
              { action: '' },
              { action: 'FailIndex', onExitCodes: { operator: 'In', containerName: 'x', values: [2, 0] } },
            ],
          },
          successPolicy: { rules: [{ succeededCount: 1 }] },
        },
      },
      'spec.managedBy: Invalid value: "a.b": must be a domain-prefixed path (such as "acme.io/foo")',
      'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
      'spec.podFailurePolicy.rules[1].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      'spec.podFailurePolicy.rules[1].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
      'spec.podFailurePolicy.rules[1].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
      'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: [2,0]: must be ordered',
      'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
    ),
    refuses(
      'the topologies of a StorageClass',
      'storageclasses',
      { kind: 'StorageClass', group: 'storage.k8s.io' },
      { provisioner: 'p', allowedTopologies: [{ matchLabelExpressions: [{ key: '-', values: [] }] }] },
      'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
      `allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "-": ${label}`,
    ),
    refuses(
      'the sources of a PersistentVolume',
      'persistentvolumes',
      { kind: 'PersistentVolume' },
      {
        spec: {
          ...volume,
          hostPath: { path: '/a/../b', type: 'x' },
          vsphereVolume: { volumePath: 'v' },
          volumeAttributesClassName: '',
        },
      },
      `spec.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      `spec.hostPath.type: Unsupported value: "x": supported values: ${[...hostPaths, 'Socket'].map((each) => `"${each}"`).join(', ')}`,
      'spec.vsphereVolume: Forbidden: may not specify more than 1 volume type',
      'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ),
    refuses(
      'the data source of a claim',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      {
        spec: { ...claim.spec, dataSourceRef: { kind: 'x', name: '' } },
      },
      'spec.dataSource.name: Required value',
      `spec.dataSource: Invalid value: "x": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      'spec.dataSourceRef.name: Required value',
      `spec.dataSourceRef: Invalid value: "x": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ),
    refuses(
      'the claims of a StatefulSet',
      'statefulsets',
      { kind: 'StatefulSet', group: 'apps' },
      { spec: { selector, template, volumeClaimTemplates: [{ metadata: { name: 'v' } }] } },
      'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    ),
    refuses(
      'empty topologies',
      'storageclasses',
      { kind: 'StorageClass', group: 'storage.k8s.io' },
      { provisioner: 'p', allowedTopologies: [{}] },
      'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
    ),
    refusesStatus(
      'the nominated node of a pod',
      'pods',
      { object: { spec: { containers } }, status: { nominatedNodeName: 'A' } },
      `status.nominatedNodeName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ),
    {
      name: 'a data source of a claim in another namespace is dropped',
      source: 'k8s.io/kubernetes pkg/api/persistentvolumeclaim/util.go @ v1.36.3',
      async run({ post, expect }) {
        const dataSourceRef = { kind: '', name: '', namespace: 'x' }
        const answer = await post('persistentvolumeclaims', {
          metadata: { name: 'a' },
          spec: { ...claim.spec, dataSourceRef },
        })
        expect.answer(answer, 201, { spec: { dataSource: undefined, dataSourceRef: undefined } })
      },
    },
    refusesStatus(
      'the completion of a Job',
      'jobs',
      {
        object: unmanagedJob,
        status: { completionTime: '2020-01-01T00:00:00Z', ready: 1, completedIndexes: '0' },
      },
      'status.completionTime: Invalid value: "2020-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
      'status.ready: Invalid value: 1: cannot set more ready pods than active',
    ),
    refusesStatus(
      'the success of a Job',
      'jobs',
      { object: unmanagedJob, status: { conditions: [{ type: 'Complete', status: 'True' }] } },
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'status.startTime: Required value: startTime is required for finished job',
    ),
    refusesStatus(
      'the resources of a claim',
      'persistentvolumeclaims',
      { object: claim, status: { allocatedResources: { cpu: '1' } } },
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
    ),
    refusesStatus(
      'the extended resources of a pod',
      'pods',
      { object: { spec: { containers } }, status: { extendedResourceClaimStatus: { requestMappings: [] } } },
      'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
      'status.extendedResourceClaimStatus.resourceClaimName: Required value',
    ),
    {
      name: 'the finalizers of a Scale',
      source: 'k8s.io/kubernetes pkg/apis/autoscaling/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('replicasets', { metadata: { name: 'a' }, spec: { selector, template } })
        const finalizers = { metadata: { finalizers: ['no-slash'] } }
        expect.invalid(await patch('replicasets/a/scale', 'merge', finalizers), {
          kind: 'Scale',
          group: 'autoscaling',
          name: 'a',
          because: [
            'metadata.finalizers[0]: Invalid value: "no-slash": name is neither a standard finalizer name nor is it fully qualified',
          ],
        })
      },
    },
    {
      name: 'the source of a PersistentVolume is immutable',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3',
      async run({ make, patch, delete: remove, namespace, expect }) {
        const spec = { ...volume, hostPath: { path: '/a' } }
        await make('persistentvolumes', { metadata: { name: namespace }, spec })
        const change = { spec: { hostPath: { path: '/b' } } }
        const { status, body } = await patch(`persistentvolumes/${namespace}`, 'merge', change)
        const why =
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation'
        expect.same([status, String(body.message).includes(why)], [422, true])
        await remove(`persistentvolumes/${namespace}`)
        await patch(`persistentvolumes/${namespace}`, 'merge', { metadata: { finalizers: null } })
      },
    },
  ],
}
