/** Volumes in containers; `ValidateVolumeMounts` and `ValidateVolumeDevices` of Kubernetes v1.36.3. */
import { recordOf } from '../../base/object.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notFoundValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { relativeErrors } from '../volume-sources/path-errors.js'
import type { Container, Volume, VolumeMount } from './spec.js'

type Volumes = ReadonlyMap<string, Volume>

const propagations = ['Bidirectional', 'HostToContainer', 'None']
const recursiveReadOnlyModes = ['Disabled', 'Enabled', 'IfPossible']

/** The errors of mounts. Some name the list instead of the mount. */
export function mountErrors(container: Container, volumes: Volumes, path: string): FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container
  const repeated = repeatedIndexes(mounts.map(({ mountPath = '' }) => mountPath))
  const deviceNames = new Set(devices.map(({ name }) => name))
  const devicePaths = new Set(devices.map(({ devicePath }) => devicePath))
  return mounts.flatMap((mount, index) => {
    const { name = '', mountPath = '' } = mount
    const field = `${path}[${index}]`
    const inDevices = 'must not already exist in volumeDevices'
    return [
      ...(name === '' ? [required(`${field}.name`, '')] : []),
      ...(volumes.has(name) ? [] : [notFoundValue(`${field}.name`, name)]),
      ...(mountPath === '' ? [required(`${field}.mountPath`, '')] : []),
      ...(repeated.has(index) ? [invalidValue(`${field}.mountPath`, mountPath, 'must be unique')] : []),
      ...(deviceNames.has(name) ? [invalidValue(`${field}.name`, name, inDevices)] : []),
      ...(devicePaths.has(mountPath)
        ? [invalidValue(`${field}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices')]
        : []),
      ...subPathErrors(mount, path, field),
      ...propagationErrors(mount, container, `${path}.mountPropagation`),
      ...recursiveErrors(mount, `${path}.recursiveReadOnly`),
    ]
  })
}

function subPathErrors(
  { subPath = '', subPathExpr = '' }: VolumeMount,
  path: string,
  field: string,
): FieldError[] {
  const both = 'subPathExpr and subPath are mutually exclusive'
  return [
    ...relativeErrors(`${path}.subPath`, subPath),
    ...(subPath !== '' && subPathExpr !== ''
      ? [invalidValue(`${field}.subPathExpr`, subPathExpr, both)]
      : []),
    ...relativeErrors(`${path}.subPathExpr`, subPathExpr),
  ]
}

function propagationErrors(
  { mountPropagation: mode }: VolumeMount,
  { securityContext }: Container,
  field: string,
): FieldError[] {
  if (mode === undefined) return []
  const why = 'Bidirectional mount propagation is available only to privileged containers'
  const isRefused = mode === 'Bidirectional' && recordOf(securityContext).privileged !== true
  return [
    ...(propagations.includes(mode) ? [] : [unsupported(field, JSON.stringify(mode), propagations)]),
    ...(isRefused ? [forbiddenValue(field, why)] : []),
  ]
}

function recursiveErrors(
  { recursiveReadOnly: mode = 'Disabled', readOnly = false, mountPropagation = 'None' }: VolumeMount,
  field: string,
): FieldError[] {
  if (mode === 'Disabled') return []
  if (!recursiveReadOnlyModes.includes(mode))
    return [unsupported(field, JSON.stringify(mode), recursiveReadOnlyModes)]
  const spread = 'may only be specified when mountPropagation is None or not specified'
  return [
    ...(readOnly ? [] : [forbiddenValue(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None' ? [] : [forbiddenValue(field, spread)]),
  ]
}

/** The errors of block devices. */
export function deviceErrors(container: Container, volumes: Volumes, path: string): FieldError[] {
  const { volumeDevices: devices = [], volumeMounts: mounts = [] } = container
  const repeatedNames = repeatedIndexes(devices.map(({ name }) => name))
  const repeatedPaths = repeatedIndexes(devices.map(({ devicePath = '' }) => devicePath))
  const mountNames = new Set(mounts.map(({ name }) => name))
  const mountPaths = new Set(mounts.map(({ mountPath }) => mountPath))
  return devices.flatMap(({ name = '', devicePath = '' }, index) => {
    const field = `${path}[${index}]`
    const refuse = (member: string, value: string, why: string) =>
      invalidValue(`${field}.${member}`, value, why)
    const climbs = devicePath.split('/').includes('..')
    return [
      ...(name === '' ? [required(`${field}.name`, '')] : []),
      ...(name !== '' && repeatedNames.has(index) ? [refuse('name', name, mustBeUnique)] : []),
      ...sourceErrors(name, volumes.get(name), `${field}.name`),
      ...(devicePath === '' ? [required(`${field}.devicePath`, '')] : []),
      ...(!climbs && repeatedPaths.has(index) ? [refuse('devicePath', devicePath, mustBeUnique)] : []),
      ...(climbs ? [refuse('devicePath', devicePath, "can not contain backsteps ('..')")] : []),
      ...(mountNames.has(name) ? [refuse('name', name, 'must not already exist in volumeMounts')] : []),
      ...(mountPaths.has(devicePath)
        ? [refuse('devicePath', devicePath, 'must not already exist as a path in volumeMounts')]
        : []),
    ]
  })
}

const mustBeUnique = 'must be unique'

function sourceErrors(name: string, volume: Volume | undefined, field: string): FieldError[] {
  if (volume === undefined) return [notFoundValue(field, name)]
  const isClaim = volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined
  const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
  return isClaim ? [] : [invalidValue(field, name, why)]
}
