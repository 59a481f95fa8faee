import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { validateAnnotations, validateLabels } from '../../validation/metadata.js'
import { checkLabelName } from '../../validation/names.js'
import { checkChoice, checkName, checkNotNegative } from '../../validation/values.js'
import { claimErrors } from '../claim-errors.js'
import { listAt } from '../pod-warnings/node-label-warnings.js'
import { storageWarnings } from '../pod-warnings/volume-warnings.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { checkAtMost100Percent, checkIntOrPercent, type IntOrPercent, numberOf } from './int-or-percent.js'
import { countErrors, type StatusChecks } from './status-errors.js'
import {
  invalidSelectorErrors,
  mismatchErrors,
  ownSelectorErrors,
  type PodTemplate,
  restartAndDeadlineErrors,
  templateErrors,
  type WorkloadSpec,
} from './template-errors.js'

interface Strategy {
  readonly type?: string
  readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrPercent }
}

interface StatefulSetSpec extends WorkloadSpec {
  readonly replicas?: number
  readonly serviceName?: string
  readonly podManagementPolicy?: string
  readonly updateStrategy?: Strategy
  readonly minReadySeconds?: number
  readonly ordinals?: { readonly start?: number }
  readonly persistentVolumeClaimRetentionPolicy?: {
    readonly whenDeleted?: string
    readonly whenScaled?: string
  }
  readonly volumeClaimTemplates?: readonly { readonly metadata?: { readonly name?: string } }[]
}

/** The fields that an update may change. */
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]
const refusal =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

const status: StatusChecks = {
  counts: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  ready: 'status.readyReplicas',
}

function historyWarnings(object: OpenObject): string[] {
  const limit = fieldAt(object, 'spec', 'revisionHistoryLimit')
  if (typeof limit !== 'number' || limit >= 0) return []
  return [
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ]
}

function ownWarnings(object: OpenObject): string[] {
  const claims = listAt(object, 'spec', 'volumeClaimTemplates')
  return [
    ...claims.flatMap(({ spec }, index) =>
      storageWarnings(recordOf(spec).resources, `spec.volumeClaimTemplates[${index}]`),
    ),
    ...historyWarnings(object),
  ]
}

const warnings = workloadWarnings({ isInNames: false, moreWarnings: ownWarnings })

/** https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/ */
export const statefulSetRules: KindRules = {
  create: warnings.create,
  update: warnings.update,
  metadata: {
    repeatedOnUpdate: 'change',
    name: checkLabelName,
    generation: true,
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return countErrors(object, status)
    const spec: StatefulSetSpec = recordOf(object.spec)
    if (old === undefined) return statefulSetErrors(spec, true)
    const errors = statefulSetErrors(spec, false)
    const isKept = jsonEqual(fixedPart(object.spec), fixedPart(old.spec))
    return isKept ? errors : [...errors, forbiddenValue('spec', refusal)]
  },
}

function fixedPart(spec: unknown): object {
  const fixed = Object.entries(recordOf(spec)).filter(([name]) => !changeable.includes(name))
  return Object.fromEntries(fixed)
}

/** `ValidateStatefulSetSpec` of Kubernetes v1.36.3. Immutable fields are checked only for a new object. */
function statefulSetErrors(spec: StatefulSetSpec, isNew: boolean): FieldError[] {
  const { serviceName = '', template = {} } = spec
  return [
    ...policyErrors(spec.podManagementPolicy),
    ...strategyErrors(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...retentionErrors(spec),
    ...(isNew ? claimTemplateErrors(spec) : []),
    ...checkNotNegative('spec.replicas', spec.replicas),
    ...checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...checkNotNegative('spec.ordinals.start', spec.ordinals?.start),
    ...(isNew && serviceName !== '' ? checkName('spec.serviceName', serviceName, checkLabelName) : []),
    ...ownSelectorErrors(spec.selector, 'statefulset'),
    ...(invalidSelectorErrors(spec, '') ?? podErrors(spec)),
    ...restartAndDeadlineErrors(template, 'StatefulSet'),
  ]
}

function claimTemplateErrors({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] {
  return volumeClaimTemplates.flatMap((template, index) => {
    const path = `spec.volumeClaimTemplates[${index}].`
    return claimErrors(recordOf(recordOf(template).spec)).map((error) => ({
      ...error,
      field: path + error.field,
    }))
  })
}

function policyErrors(policy = ''): FieldError[] {
  if (policy === '') return [required('spec.podManagementPolicy', '')]
  if (policy === 'OrderedReady' || policy === 'Parallel') return []
  return [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]
}

function strategyErrors(strategy: Strategy, path: string): FieldError[] {
  const { type = '', rollingUpdate } = strategy
  const shownValue = { Type: type, RollingUpdate: rollingUpdate ?? null }
  if (type === '') return [required(path, '')]
  if (type !== 'OnDelete' && type !== 'RollingUpdate') {
    return [invalidValue(path, shownValue, "must be 'RollingUpdate' or 'OnDelete'")]
  }
  if (rollingUpdate === undefined) return []
  if (type === 'RollingUpdate') return rollingErrors(rollingUpdate, `${path}.rollingUpdate`)
  const { partition = 0, maxUnavailable = null } = rollingUpdate
  const settings = { Partition: partition, MaxUnavailable: maxUnavailable }
  return [invalidValue(`${path}.rollingUpdate`, settings, "only allowed for updateStrategy 'RollingUpdate'")]
}

function rollingErrors(
  { partition, maxUnavailable }: NonNullable<Strategy['rollingUpdate']>,
  path: string,
): FieldError[] {
  const errors = checkNotNegative(`${path}.partition`, partition)
  if (maxUnavailable === undefined) return errors
  const field = `${path}.maxUnavailable`
  return [
    ...errors,
    ...checkIntOrPercent(field, maxUnavailable),
    ...(numberOf(maxUnavailable) === 0 ? [invalidValue(field, maxUnavailable, 'cannot be 0')] : []),
    ...checkAtMost100Percent(field, maxUnavailable),
  ]
}

function retentionErrors({
  persistentVolumeClaimRetentionPolicy: policy = {},
}: StatefulSetSpec): FieldError[] {
  const path = 'spec.persistentVolumeClaimRetentionPolicy'
  return [
    ...checkChoice(`${path}.whenDeleted`, policy.whenDeleted, ['Retain', 'Delete']),
    ...checkChoice(`${path}.whenScaled`, policy.whenScaled, ['Retain', 'Delete']),
  ]
}

function podErrors(spec: StatefulSetSpec): FieldError[] {
  const { metadata = {} } = spec.template ?? {}
  return [
    ...mismatchErrors(spec),
    ...templateErrors(templateOfPods(spec), 'spec.template'),
    ...validateLabels(metadata.labels, 'spec.template.labels'),
    ...validateAnnotations(metadata.annotations, 'spec.template.annotations'),
  ]
}

/** The template of the set's pods, with a volume for each claim template, and with names. */
function templateOfPods({ template = {}, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplate {
  const { hostname: _hostname, subdomain: _subdomain, volumes = [], ...spec } = template.spec ?? {}
  const claimed = volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? '')
  const added = claimed.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const ownVolumes = volumes.filter(({ name = '' }) => !claimed.includes(name))
  return { ...template, spec: { ...spec, volumes: [...added, ...ownVolumes] } }
}
