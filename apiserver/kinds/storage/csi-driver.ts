import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { duplicate, type FieldError, invalidValue, unsupported } from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'

interface TokenRequest {
  readonly audience?: string
  readonly expirationSeconds?: number
}

interface DriverSpec {
  readonly attachRequired?: boolean
  readonly fsGroupPolicy?: string
  readonly tokenRequests?: readonly TokenRequest[]
  readonly volumeLifecycleModes?: readonly string[]
  readonly nodeAllocatableUpdatePeriodSeconds?: number
  readonly serviceAccountTokenInSecrets?: boolean
}

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']
const lifecycleModes = ['Persistent', 'Ephemeral']
const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/csi-driver-v1/ */
export const csiDriverRules: KindRules = {
  metadata: {
    generation: 'from zero',
    repeatedOnUpdate: 'change',
  },
  validate: (object, old) => [
    ...driverErrors(recordOf(object.spec)),
    ...(old === undefined ? [] : changeErrors(recordOf(object.spec), recordOf(old.spec))),
  ],
  create: {
    warnings: ({ spec }) => tokenWarnings(recordOf(spec)),
    prepare: dropGatedField,
  },
  update: {
    warnings(object, old) {
      const [spec, before]: [DriverSpec, DriverSpec] = [recordOf(object.spec), recordOf(old.spec)]
      const isKept = jsonEqual(spec.tokenRequests ?? null, before.tokenRequests ?? null)
      return isKept ? [] : tokenWarnings(spec)
    },
    prepare: dropGatedField,
    needsVersion: true,
  },
  delete: {
    returnsObject: true,
  },
}

function tokenWarnings({ tokenRequests = [], serviceAccountTokenInSecrets }: DriverSpec): string[] {
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return []
  const advice = 'set to true to prevent possible logging of tokens in volume attributes'
  return [`spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, ${advice}`]
}

/** Drops a field of a feature that is off by default. */
function dropGatedField(object: OpenObject): undefined {
  const { preventPodSchedulingIfMissing: _gated, ...spec } = recordOf(object.spec)
  if (_gated !== undefined) object.spec = spec
}

/** `validateCSIDriverSpec` of Kubernetes v1.36.3; the required fields have defaults. */
function driverErrors(spec: DriverSpec): FieldError[] {
  const { fsGroupPolicy: policy, tokenRequests = [], volumeLifecycleModes = [] } = spec
  const period = spec.nodeAllocatableUpdatePeriodSeconds
  const { serviceAccountTokenInSecrets: inSecrets } = spec
  const unused = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
  return [
    ...(policy === undefined || groupPolicies.includes(policy)
      ? []
      : [unsupported('spec.fsGroupPolicy', JSON.stringify(policy), groupPolicies)]),
    ...tokenErrors(tokenRequests),
    ...volumeLifecycleModes
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => unsupported('spec.volumeLifecycleModes', JSON.stringify(mode), lifecycleModes)),
    ...(period === undefined || period >= 10
      ? []
      : [
          invalidValue(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]),
    ...(inSecrets === undefined || tokenRequests.length > 0
      ? []
      : [invalidValue('spec.serviceAccountTokenInSecrets', inSecrets, unused)]),
  ]
}

function tokenErrors(requests: readonly TokenRequest[]): FieldError[] {
  const repeated = repeatedIndexes(requests.map(({ audience = '' }) => audience))
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = `spec.tokenRequests[${index}]`
    if (repeated.has(index)) return [duplicate(`${path}.audience`, audience)]
    if (seconds === undefined) return []
    const refuse = (why: string) => [
      invalidValue(`${path}.expirationSeconds`, seconds, `may not specify a duration ${why}`),
    ]
    if (seconds < minTokenSeconds) return refuse('less than 10 minutes')
    return seconds > maxTokenSeconds ? refuse('larger than 2^32 seconds') : []
  })
}

/** The errors of changed immutable fields, at the paths of a real server, one of which names no field. */
function changeErrors(spec: DriverSpec, old: DriverSpec): FieldError[] {
  const { attachRequired: attached, volumeLifecycleModes: modes } = spec
  return [
    ...(attached === old.attachRequired
      ? []
      : [invalidValue('spec.attachedRequired', attached, 'field is immutable')]),
    ...(jsonEqual(modes ?? null, old.volumeLifecycleModes ?? null)
      ? []
      : [invalidValue('spec.volumeLifecycleModes', modes, 'field is immutable')]),
  ]
}
