/** The errors of the volume sources that are disks and shares; `validateVolumeSource` of Kubernetes v1.36.3. */
import { textAt } from '../../base/object.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { checkLabelName } from '../../validation/names.js'
import { checkName } from '../../validation/values.js'
import { iscsiErrors } from './iscsi-errors.js'
import { upwardErrors } from './path-errors.js'

/** The members of a source, as the decoder has read them. */
export type Source = Readonly<Record<string, unknown>>
/** Finds the errors of a source at its path. */
export type SourceRule = (source: Source, path: string) => FieldError[]

const hostPaths = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
]
const partitionRange = 'must be between 1 and 255, inclusive'
const lunRange = 'must be between 0 and 255, inclusive'

/** An error for each required text or list that is missing. */
export function missingErrors(source: Source, path: string, names: readonly string[]): FieldError[] {
  const isMissing = (value: unknown) => !value || (Array.isArray(value) && value.length === 0)
  return names.filter((name) => isMissing(source[name])).map((name) => required(`${path}.${name}`, ''))
}

/** An error for each required member that a reference to a Secret does not have. */
export function secretErrors(
  source: Source,
  path: string,
  members: readonly string[] = ['name'],
): FieldError[] {
  return source.secretRef === undefined
    ? []
    : missingErrors(Object(source.secretRef) as Source, `${path}.secretRef`, members)
}

const requiredMembers =
  (...names: readonly string[]): SourceRule =>
  (source, path) =>
    missingErrors(source, path, names)

function hostPath(source: Source, path: string): FieldError[] {
  const [where, type] = [textAt(source, 'path'), textAt(source, 'type')]
  if (where === '') return [required(`${path}.path`, '')]
  return [
    ...upwardErrors(`${path}.path`, where),
    ...(hostPaths.includes(type) ? [] : [unsupported(`${path}.type`, JSON.stringify(type), hostPaths)]),
  ]
}

function local(source: Source, path: string): FieldError[] {
  const where = textAt(source, 'path')
  return where === '' ? [required(`${path}.path`, '')] : upwardErrors(`${path}.path`, where)
}

const partitionedDisk =
  (name: string): SourceRule =>
  (source, path) => {
    const { partition = 0 } = source
    const isOdd = Number(partition) < 0 || Number(partition) > 255
    return [
      ...missingErrors(source, path, [name]),
      ...(isOdd ? [invalidValue(`${path}.partition`, partition, partitionRange)] : []),
    ]
  }

function nfs(source: Source, path: string): FieldError[] {
  const where = textAt(source, 'path')
  return [
    ...missingErrors(source, path, ['server', 'path']),
    ...(where.startsWith('/') ? [] : [invalidValue(`${path}.path`, where, 'must be an absolute path')]),
  ]
}

function flocker(source: Source, path: string): FieldError[] {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')]
  const twice = 'datasetName and datasetUUID can not be specified simultaneously'
  return [
    ...(name + uuid === '' ? [required(path, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && uuid !== '' ? [invalidValue(path, 'resource', twice)] : []),
    ...(name.includes('/') ? [invalidValue(`${path}.datasetName`, name, "must not contain '/'")] : []),
  ]
}

const hostPort = 'must be a host:port pair or multiple pairs separated by commas'
/** A text that Go's `net.SplitHostPort` accepts. */
const hostPortPattern = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/

function quobyte(source: Source, path: string): FieldError[] {
  const [registry, tenant] = [textAt(source, 'registry'), textAt(source, 'tenant')]
  return [...registryErrors(registry, tenant, path), ...missingErrors(source, path, ['volume'])]
}

function registryErrors(registry: string, tenant: string, path: string): FieldError[] {
  const long = 'must be a UUID and may not exceed a length of 64 characters'
  if (registry === '') return [required(`${path}.registry`, hostPort)]
  if (Buffer.byteLength(tenant) >= 65) return [required(`${path}.tenant`, long)]
  const invalidPairs = registry.split(',').filter((pair) => !hostPortPattern.test(pair))
  return invalidPairs.map(() => invalidValue(`${path}.registry`, registry, hostPort))
}

function fibreChannel(source: Source, path: string): FieldError[] {
  const { targetWWNs: targets, wwids, lun } = source
  const [hasTargets, hasIds] = [targets, wwids].map((list) => Array.isArray(list) && list.length > 0)
  const field = `${path}.targetWWNs`
  const none = 'must specify either targetWWNs or wwids, but not both'
  const isOdd = lun !== undefined && (Number(lun) < 0 || Number(lun) > 255)
  return [
    ...(hasTargets || hasIds ? [] : [required(field, none)]),
    ...(hasTargets && hasIds
      ? [invalidValue(field, targets, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(hasTargets && lun === undefined
      ? [required(`${path}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...(hasTargets && isOdd ? [invalidValue(`${path}.lun`, lun, lunRange)] : []),
  ]
}

function flexVolume(source: Source, path: string): FieldError[] {
  const reserved = Object.keys(Object(source.options)).filter((name) =>
    /\.(?:kubernetes|k8s)\.io$/.test(
      `.${(name.includes('/') ? name.slice(0, name.indexOf('/')) : name).toLowerCase()}`,
    ),
  )
  const why = 'kubernetes.io and k8s.io namespaces are reserved'
  return [
    ...missingErrors(source, path, ['driver']),
    ...reserved.map((name) => invalidValue(`${path}.options[${name}]`, name, why)),
  ]
}

const caches = ['None', 'ReadOnly', 'ReadWrite']
const disks = ['Dedicated', 'Managed', 'Shared']
const managed =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function azureDisk(source: Source, path: string): FieldError[] {
  const { cachingMode: cache, kind } = source
  const uri = textAt(source, 'diskURI')
  const refuse = (name: string, value: unknown, allowed: readonly string[]) =>
    unsupported(`${path}.${name}`, JSON.stringify(value), allowed)
  const [isManaged, start, form] =
    kind === 'Managed' ? [true, '/subscriptions/', managed] : [false, 'https://', blob]
  const isChecked = isManaged || kind !== undefined
  return [
    ...missingErrors(source, path, ['diskName', 'diskURI']),
    ...(cache === undefined || caches.includes(String(cache)) ? [] : [refuse('cachingMode', cache, caches)]),
    ...(kind === undefined || disks.includes(String(kind)) ? [] : [refuse('kind', kind, disks)]),
    ...(isChecked && !uri.startsWith(start) ? [refuse('diskURI', uri, [form])] : []),
  ]
}

function storageos(source: Source, path: string): FieldError[] {
  const namespace = textAt(source, 'volumeNamespace')
  const name = textAt(source, 'volumeName')
  return [
    ...(name === ''
      ? [required(`${path}.volumeName`, '')]
      : checkName(`${path}.volumeName`, name, checkLabelName)),
    ...(namespace === '' ? [] : checkName(`${path}.volumeNamespace`, namespace, checkLabelName)),
  ]
}

/** The rules that a pod's volumes and a PersistentVolume share, without references to Secrets. */
export const diskRules: Readonly<Record<string, SourceRule>> = {
  hostPath,
  gcePersistentDisk: partitionedDisk('pdName'),
  awsElasticBlockStore: partitionedDisk('volumeID'),
  glusterfs: requiredMembers('endpoints', 'path'),
  flocker,
  nfs,
  rbd: requiredMembers('monitors', 'image'),
  quobyte,
  cephfs: requiredMembers('monitors'),
  iscsi: iscsiErrors,
  cinder: requiredMembers('volumeID'),
  fc: fibreChannel,
  flexVolume,
  azureFile: requiredMembers('secretName', 'shareName'),
  vsphereVolume: requiredMembers('volumePath'),
  photonPersistentDisk: requiredMembers('pdID'),
  portworxVolume: requiredMembers('volumeID'),
  azureDisk,
  scaleIO: requiredMembers('gateway', 'system', 'volumeName'),
  local,
  storageos,
}

/** The path of a source in errors, in which the name `gcePersistentDisk` is shortened. */
export function sourcePath(parent: string, name: string): string {
  return `${parent}.${name === 'gcePersistentDisk' ? 'persistentDisk' : name}`
}
