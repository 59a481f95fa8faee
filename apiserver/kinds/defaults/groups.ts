import { recordOf } from '../../base/object.js'
import { type Defaults, type Members, withMember, withMissingMembers } from './members.js'

/** A rolling update strategy with its limits, unless the client sets another one. */
function rollingStrategy(limits: Readonly<Members>): Defaults {
  return (value) => {
    const strategy = withMember(value, 'type', 'RollingUpdate')
    if (strategy.type !== 'RollingUpdate') return value
    return { ...strategy, rollingUpdate: withMissingMembers(limits, strategy.rollingUpdate) }
  }
}

/** The settings of the default strategy are set only if no type is given. */
function statefulStrategy(value: Members): Members {
  const { type, rollingUpdate } = value
  if (type === undefined)
    return { type: 'RollingUpdate', rollingUpdate: withMissingMembers({ partition: 0 }, rollingUpdate) }
  if (type !== 'RollingUpdate' || rollingUpdate === undefined) return value
  return { ...value, rollingUpdate: withMissingMembers({ partition: 0 }, rollingUpdate) }
}

function statefulSpec(value: Members): Members {
  const spec = withMissingMembers(
    {
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      replicas: 1,
      revisionHistoryLimit: 10,
    },
    value,
  )
  const { volumeClaimTemplates: claims } = spec
  if (Array.isArray(claims))
    spec.volumeClaimTemplates = claims.map((claim) => ({ ...claimKind, ...recordOf(claim) }))
  return spec
}

const claimKind = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }

function job(value: Members): Members {
  const jobSpec = recordOf(value.spec)
  const spec = withMissingMembers(
    {
      parallelism: 1,
      backoffLimit: jobSpec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: jobSpec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
      manualSelector: false,
    },
    jobSpec,
  )
  if (jobSpec.completions === undefined && jobSpec.parallelism === undefined) spec.completions = 1
  const labels = recordOf(recordOf(recordOf(jobSpec.template).metadata).labels)
  const metadata = recordOf(value.metadata)
  if (Object.keys(labels).length === 0) return { ...value, spec }
  return { ...value, spec, metadata: withMember(metadata, 'labels', labels) }
}

function networkPolicySpec(value: Members): Members {
  const { egress } = value
  const isAboutEgress = Array.isArray(egress) && egress.length > 0
  return withMember(value, 'policyTypes', isAboutEgress ? ['Ingress', 'Egress'] : ['Ingress'])
}

/** Sets members that are absent; an empty text is not, because the fields are pointers in Go. */
const setAbsent =
  (defaults: Readonly<Members>) =>
  (value: Members): Members =>
    Object.keys(defaults).some((name) => value[name] === undefined || value[name] === null)
      ? { ...defaults, ...value }
      : value

const webhook = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
}

/** The number of requested devices: one, unless all are requested. */
function deviceRequest(value: Members): Members {
  const request = withMember(value, 'allocationMode', 'ExactCount')
  return request.allocationMode === 'ExactCount' ? replaceZeros({ count: 1 })(request) : request
}

/** Replaces missing numbers and zeros by their defaults. */
function replaceZeros(numbers: Readonly<Record<string, number>>): (value: Members) => Members {
  return (value) => {
    const missingNumbers = Object.entries(numbers).filter(([name]) => !value[name])
    return missingNumbers.length === 0 ? value : { ...value, ...Object.fromEntries(missingNumbers) }
  }
}

/** The defaults of a StorageClass. An empty text is kept, because the fields are pointers in Go. */
function classDefaults(value: Members): Members {
  const { reclaimPolicy, volumeBindingMode } = value
  if (reclaimPolicy !== undefined && volumeBindingMode !== undefined) return value
  return {
    ...value,
    reclaimPolicy: reclaimPolicy ?? 'Delete',
    volumeBindingMode: volumeBindingMode ?? 'Immediate',
  }
}

/** The groups except the core; `pkg/apis/GROUP/VERSION/defaults.go` of Kubernetes v1.36.3. */
export const groupDefaults: Readonly<Record<string, Defaults>> = {
  'admissionregistration/v1.MatchResources': {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  },
  'admissionregistration/v1.MutatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration/v1.MutatingWebhook': setAbsent({ ...webhook, reinvocationPolicy: 'Never' }),
  'admissionregistration/v1.NamedRuleWithOperations': { scope: '*' },
  'admissionregistration/v1.RuleWithOperations': setAbsent({ scope: '*' }),
  'admissionregistration/v1.ServiceReference': { port: 443 },
  'admissionregistration/v1.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration/v1.ValidatingWebhook': setAbsent(webhook),
  'apiextensions/v1.ServiceReference': { port: 443 },
  'apiregistration/v1.ServiceReference': { port: 443 },
  'apps/v1.DaemonSetSpec': { revisionHistoryLimit: 10 },
  'apps/v1.DaemonSetUpdateStrategy': rollingStrategy({ maxUnavailable: 1, maxSurge: 0 }),
  'apps/v1.DeploymentSpec': { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  'apps/v1.DeploymentStrategy': rollingStrategy({ maxUnavailable: '25%', maxSurge: '25%' }),
  'apps/v1.ReplicaSetSpec': { replicas: 1 },
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy': {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  },
  'apps/v1.StatefulSetSpec': statefulSpec,
  'apps/v1.StatefulSetUpdateStrategy': statefulStrategy,
  'batch/v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'batch/v1.Job': job,
  'batch/v1.PodFailurePolicyOnPodConditionsPattern': { status: 'True' },
  'discovery/v1.EndpointPort': { name: '', protocol: 'TCP' },
  'flowcontrol/v1.ExemptPriorityLevelConfiguration': { nominalConcurrencyShares: 0, lendablePercent: 0 },
  'flowcontrol/v1.FlowSchemaSpec': replaceZeros({ matchingPrecedence: 1000 }),
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': { nominalConcurrencyShares: 30, lendablePercent: 0 },
  'flowcontrol/v1.QueuingConfiguration': replaceZeros({ handSize: 8, queues: 64, queueLengthLimit: 50 }),
  'networking/v1.IngressClassParametersReference': { scope: 'Cluster' },
  'networking/v1.NetworkPolicyPort': { protocol: 'TCP' },
  'networking/v1.NetworkPolicySpec': networkPolicySpec,
  'resource/v1.DeviceSubRequest': deviceRequest,
  'resource/v1.ExactDeviceRequest': deviceRequest,
  'scheduling/v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'storage/v1.CSIDriverSpec': {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  },
  'storage/v1.StorageClass': classDefaults,
}
