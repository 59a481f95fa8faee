import { recordOf, textAt } from '../../base/object.js'
import { parseQuantity } from '../../schema/quantity.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../../validation/field-error.js'
import { validateAnnotations, validateLabels } from '../../validation/metadata.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { checkChoice, checkName, checkRequiredName } from '../../validation/values.js'
import { claimErrors } from '../claim-errors.js'
import { driverNameErrors } from '../storage/driver-name-errors.js'
import {
  diskRules,
  type Source,
  type SourceRule,
  secretErrors,
  sourcePath,
} from '../volume-sources/disk-errors.js'
import { relativeErrors } from '../volume-sources/path-errors.js'
import { downwardErrors, keysErrors, projectedErrors } from '../volume-sources/projected-errors.js'
import type { Volume } from './spec.js'

/** The valid volumes of a pod, and the errors of the others; an invalid volume cannot be mounted. */
export interface CheckedVolumes {
  readonly errors: readonly FieldError[]
  /** The valid ones, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
}

/** Checks the volumes of a pod; `ValidateVolumes` of Kubernetes v1.36.3. */
export function checkVolumes(volumeList: readonly Volume[], path: string): CheckedVolumes {
  const volumes = new Map<string, Volume>()
  const errors = volumeList.flatMap((volume, index) => {
    const { name = '' } = volume
    const ownErrors = [
      ...volumeErrors(volume, `${path}[${index}]`),
      ...checkRequiredName(`${path}[${index}].name`, name, checkLabelName),
      ...(volumes.has(name) ? [duplicate(`${path}[${index}].name`, name)] : []),
    ]
    if (ownErrors.length === 0) volumes.set(name, volume)
    return ownErrors
  })
  return { errors, volumes }
}

/** Only the first source is checked, in the order of Go's type. */
function volumeErrors(volume: Volume, path: string): FieldError[] {
  const [first, ...others] = Object.keys(rules).filter((name) => volume[name] !== undefined)
  if (first === undefined) return [required(path, 'must specify a volume type')]
  return [
    ...(rules[first]?.(recordOf(volume[first]), sourcePath(path, first)) ?? []),
    ...(first === 'iscsi' ? portalErrors(volume, path) : []),
    ...others.map((name) =>
      forbiddenValue(`${path}.${names[name] ?? name}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

/** Names of sources in the error for a second one. */
const names: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

const longPortal =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

function portalErrors({ name = '', iscsi }: Volume, path: string): FieldError[] {
  const { initiatorName, targetPortal = '' } = recordOf(iscsi)
  const isLong = initiatorName !== undefined && Buffer.byteLength(`${name}:${targetPortal}`) > 64
  return isLong ? [invalidValue(`${path}.name`, name, longPortal)] : []
}

function emptyDir({ sizeLimit }: Source, path: string): FieldError[] {
  const isNegative = sizeLimit !== undefined && parseQuantity(String(sizeLimit)).nano < 0n
  const why = 'SizeLimit field must be a valid resource quantity'
  return isNegative ? [forbiddenValue(`${path}.sizeLimit`, why)] : []
}

function claim(source: Source, path: string): FieldError[] {
  return textAt(source, 'claimName') === '' ? [required(`${path}.claimName`, '')] : []
}

function gitRepo(source: Source, path: string): FieldError[] {
  const repository = textAt(source, 'repository')
  return [
    ...(repository === '' ? [required(`${path}.repository`, '')] : []),
    ...relativeErrors(`${path}.directory`, textAt(source, 'directory')),
  ]
}

function csi(source: Source, path: string): FieldError[] {
  const name = textAt(source.nodePublishSecretRef, 'name')
  const errors = driverNameErrors(`${path}.driver`, textAt(source, 'driver'))
  if (source.nodePublishSecretRef === undefined) return errors
  const missingName = required(`${path}.nodePublishSecretRef.name`, '')
  return [...errors, ...(name === '' ? [missingName] : checkName(`${path}.name`, name, checkSubdomainName))]
}

interface TemplateMetadata {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** The template of a claim has labels and annotations, and the spec of a claim. */
function ephemeral({ volumeClaimTemplate: template }: Source, path: string): FieldError[] {
  if (template === undefined) return [required(`${path}.volumeClaimTemplate`, '')]
  const templatePath = `${path}.volumeClaimTemplate`
  const { metadata, spec } = recordOf(template)
  const { labels, annotations }: TemplateMetadata = recordOf(metadata)
  const claimed = claimErrors(recordOf(spec))
  return [
    ...validateAnnotations(annotations, `${templatePath}.metadata.annotations`),
    ...validateLabels(labels, `${templatePath}.metadata.labels`),
    ...claimed.map((error) => ({ ...error, field: `${templatePath}.${error.field}` })),
  ]
}

function image({ pullPolicy }: Source, path: string): FieldError[] {
  return checkChoice(`${path}.pullPolicy`, pullPolicy, ['Always', 'IfNotPresent', 'Never'])
}

/** A disk of a pod, with a reference to a Secret of its namespace. */
const withSecret =
  (name: string): SourceRule =>
  (source, path) => [...(diskRules[name]?.(source, path) ?? []), ...secretErrors(source, path)]

const { local: _notForPods, ...disks } = diskRules

/** The sources in the order of Go's checks. */
const order = [
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker',
  'persistentVolumeClaim rbd cinder cephfs quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume',
  'photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ephemeral image',
]

const unordered: Readonly<Record<string, SourceRule>> = {
  ...disks,
  emptyDir,
  gitRepo,
  persistentVolumeClaim: claim,
  csi,
  ephemeral,
  image,
  cinder: withSecret('cinder'),
  storageos: withSecret('storageos'),
  secret: (source, path) => keysErrors(source, path, 'secretName'),
  configMap: (source, path) => keysErrors(source, path, 'name'),
  downwardAPI: downwardErrors,
  projected: projectedErrors,
}

const rules: Readonly<Record<string, SourceRule>> = Object.fromEntries(
  order
    .join(' ')
    .split(' ')
    .map((name) => [name, unordered[name] ?? (() => [])]),
)
