import { posix } from 'node:path'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { parseQuantity } from '../schema/quantity.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { goDifference } from '../validation/go-difference.js'
import { checkSubdomainName } from '../validation/names.js'
import { checkName, checkOptionalChoice } from '../validation/values.js'
import { modeErrors, volumeModes } from './claim-errors.js'
import { affinityChangeErrors, type VolumeAffinity, volumeAffinityErrors } from './volume-affinity-errors.js'
import { sourcePath } from './volume-sources/disk-errors.js'
import { persistentRules } from './volume-sources/persistent-errors.js'

/** The fields of a PersistentVolume's spec that the rules read. */
export interface VolumeSpec {
  readonly accessModes?: readonly string[]
  readonly capacity?: Readonly<Record<string, string>>
  readonly persistentVolumeReclaimPolicy?: string
  readonly storageClassName?: string
  readonly volumeAttributesClassName?: string
  readonly volumeMode?: string
  readonly nodeAffinity?: VolumeAffinity
  readonly [source: string]: unknown
}

const sources = Object.keys(persistentRules)
const immutable = 'spec.persistentvolumesource is immutable after creation\n'

/** `ValidatePersistentVolume` and its update of Kubernetes v1.36.3. */
export function volumeErrors(spec: VolumeSpec, old: VolumeSpec | undefined): FieldError[] {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy, storageClassName: name = '' } = spec
  const isRoot = posix.normalize(String(recordOf(spec.hostPath).path ?? 'a')) === '/'
  const recycled = "may not be 'recycle' for a hostPath mount of '/'"
  return [
    ...(accessModes.length === 0 ? [required('spec.accessModes', '')] : []),
    ...modeErrors(accessModes),
    ...capacityErrors(spec.capacity ?? {}),
    ...checkOptionalChoice('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
    ...volumeAffinityErrors(spec.nodeAffinity),
    ...sourcesErrors(spec),
    ...(isRoot && policy === 'Recycle'
      ? [forbiddenValue('spec.persistentVolumeReclaimPolicy', recycled)]
      : []),
    ...(name === '' ? [] : checkName('spec.storageClassName', name, checkSubdomainName)),
    ...checkOptionalChoice('spec.volumeMode', spec.volumeMode, volumeModes),
    ...classErrors(spec),
    ...(old === undefined ? [] : changeErrors(spec, old)),
  ]
}

const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options'
/** The sources whose mounts have options. */
const withOptions = [
  'gcePersistentDisk awsElasticBlockStore glusterfs nfs rbd quobyte iscsi cinder cephfs azureFile vsphereVolume',
  'azureDisk photonPersistentDisk',
]
  .join(' ')
  .split(' ')

/** An error for mount options in an annotation, which most sources do not have. */
export function mountOptionErrors({ metadata, spec }: OpenObject): FieldError[] {
  const hasOptions = withOptions.some((name) => recordOf(spec)[name] !== undefined)
  if (hasOptions || metadata.annotations?.[optionsAnnotation] === undefined) return []
  const why = 'may not specify mount options for this volume type'
  return [forbiddenValue(`metadata.annotations.${optionsAnnotation}`, why)]
}

const inline = 'in the context of inline volumes'
const notInline = `may not be specified ${inline}`

/** The errors of a volume that is written inside a VolumeAttachment, at its path. */
export function inlineVolumeErrors(spec: VolumeSpec, path: string): FieldError[] {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy, volumeMode: mode } = spec
  const forbid = (name: string, isThere: boolean, why = notInline) =>
    isThere ? [forbiddenValue(`spec.${name}`, why)] : []
  const errors = [
    ...forbid('claimRef', spec.claimRef !== undefined),
    ...forbid('capacity', Object.keys(capacity).length > 0),
    ...(spec.csi === undefined ? [required('spec.csi', `has to be specified ${inline}`)] : []),
    ...(accessModes.length === 0 ? [required('spec.accessModes', '')] : []),
    ...modeErrors(accessModes),
    ...forbid(
      'persistentVolumeReclaimPolicy',
      (policy ?? 'Retain') !== 'Retain',
      `may only be Retain ${inline}`,
    ),
    ...forbid('nodeAffinity', spec.nodeAffinity !== undefined),
    ...sourcesErrors(spec),
    ...forbid('storageClassName', Boolean(spec.storageClassName)),
    ...forbid(
      'volumeMode',
      (mode ?? 'Filesystem') !== 'Filesystem',
      `may not specify volumeMode other than Filesystem ${inline}`,
    ),
    ...classErrors(spec),
  ]
  return errors.map((error) => ({ ...error, field: `${path}${error.field.slice('spec'.length)}` }))
}

function capacityErrors(capacity: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(capacity)
  const isStorage = capacity.storage !== undefined && entries.length === 1
  return [
    ...(entries.length === 0 ? [required('spec.capacity', '')] : []),
    ...(isStorage ? [] : [unsupported('spec.capacity', JSON.stringify(capacity), ['storage'])]),
    ...entries.flatMap(([name, text]) => amountErrors(`spec.capacity[${name}]`, text)),
  ]
}

function amountErrors(field: string, text: string): FieldError[] {
  const { nano } = parseQuantity(text)
  if (nano > 0n) return []
  return [
    ...(nano < 0n ? [invalidValue(field, text, 'must be a valid resource quantity')] : []),
    invalidValue(field, text, 'must be greater than zero'),
  ]
}

/** Only the first source and a flexVolume are checked. */
function sourcesErrors(spec: VolumeSpec): FieldError[] {
  const [first, ...others] = sources.filter((name) => spec[name] !== undefined)
  if (first === undefined) return [required('spec', 'must specify a volume type')]
  const why = 'may not specify more than 1 volume type'
  return [
    ...sourceErrors(first, spec),
    ...others.flatMap((name) =>
      name === 'flexVolume'
        ? sourceErrors(name, spec)
        : [forbiddenValue(`spec.${name === 'cephfs' ? 'cephFS' : name}`, why)],
    ),
  ]
}

function sourceErrors(name: string, spec: VolumeSpec): FieldError[] {
  const isUnbound = name === 'local' && spec.nodeAffinity === undefined
  return [
    ...(persistentRules[name]?.(recordOf(spec[name]), sourcePath('spec', name)) ?? []),
    ...(isUnbound ? [required('spec.nodeAffinity', 'Local volume requires node affinity')] : []),
  ]
}

function classErrors({ volumeAttributesClassName: name, csi }: VolumeSpec): FieldError[] {
  if (name === undefined) return []
  const field = 'spec.volumeAttributesClassName'
  const missingText = 'has to be specified when using volumeAttributesClassName'
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : checkName(field, name, checkSubdomainName)),
    ...(csi === undefined ? [required('spec.csi', missingText)] : []),
  ]
}

function changeErrors(spec: VolumeSpec, old: VolumeSpec): FieldError[] {
  const mode = spec.volumeMode ?? null
  const { volumeAttributesClassName: name } = spec
  const unset = 'update from non-nil value to nil is forbidden'
  const isUnset = name === undefined && old.volumeAttributesClassName !== undefined
  return [
    ...sourceChangeErrors(sourcesOf(spec), sourcesOf(old)),
    ...(mode === (old.volumeMode ?? null) ? [] : [invalidValue('volumeMode', mode, 'field is immutable')]),
    ...affinityChangeErrors(spec.nodeAffinity, old.nodeAffinity),
    ...(isUnset ? [forbiddenValue('spec.volumeAttributesClassName', unset)] : []),
  ]
}

function sourceChangeErrors(now: object, old: object): FieldError[] {
  if (jsonEqual(now, old)) return []
  const difference = goDifference(old, now)
  return [forbiddenValue('spec.persistentvolumesource', `${immutable}${difference}`)]
}

/** A secret for expansion may be set later. */
function sourcesOf(spec: VolumeSpec): object {
  const { csi, ...rest } = spec
  const { controllerExpandSecretRef: _secret, ...driver } = recordOf(csi)
  const others = Object.entries(rest).filter(([name]) => sources.includes(name))
  return { ...Object.fromEntries(others), ...(csi === undefined ? {} : { csi: driver }) }
}
