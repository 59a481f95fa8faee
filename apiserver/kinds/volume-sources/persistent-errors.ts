import { recordOf, textAt } from '../../base/object.js'
import { type FieldError, required } from '../../validation/field-error.js'
import { checkLabelName } from '../../validation/names.js'
import { checkName } from '../../validation/values.js'
import { driverNameErrors } from '../storage/driver-name-errors.js'
import { diskRules, missingErrors, type Source, type SourceRule, secretErrors } from './disk-errors.js'
import { persistentIscsiErrors } from './iscsi-errors.js'

const secretMembers = ['name', 'namespace']
const secrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
]

function csi(source: Source, path: string): FieldError[] {
  return [
    ...driverNameErrors(`${path}.driver`, textAt(source, 'driver')),
    ...missingErrors(source, path, ['volumeHandle']),
    ...secrets
      .filter((name) => source[name] !== undefined)
      .flatMap((name) => missingErrors(recordOf(source[name]), `${path}.${name}`, secretMembers)),
  ]
}

function glusterfs({ endpointsNamespace: namespace }: Source, path: string): FieldError[] {
  const field = `${path}.endpointsNamespace`
  return namespace === undefined ? [] : checkName(field, String(namespace), checkLabelName)
}

/** Rules that apply to a PersistentVolume but not to a pod, by source. */
const persistentOnlyRules: Readonly<Record<string, SourceRule>> = {
  glusterfs,
  azureFile: ({ secretNamespace: namespace }, path) =>
    namespace === '' ? [required(`${path}.secretNamespace`, '')] : [],
  cinder: (source, path) => secretErrors(source, path, secretMembers),
  storageos: (source, path) => secretErrors(source, path, secretMembers),
}

const sharedAndOwnRule =
  (name: string): SourceRule =>
  (source, path) => [
    ...(diskRules[name]?.(source, path) ?? []),
    ...(persistentOnlyRules[name]?.(source, path) ?? []),
  ]

/** The rules for the sources of a PersistentVolume, in the order of Go's checks. */
export const persistentRules: Readonly<Record<string, SourceRule>> = {
  ...Object.fromEntries(Object.keys(diskRules).map((name) => [name, sharedAndOwnRule(name)])),
  iscsi: (source, path) => [...persistentIscsiErrors(source, path), ...secretErrors(source, path)],
  csi,
}
