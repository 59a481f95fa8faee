import { textAt } from '../../base/object.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'

/** The three forms of a name, by how it begins. */
const forms: readonly [start: string, form: RegExp][] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
]

/** The maximum length of a checked name: the pattern of iqn is slow for long texts. Names have at most 223 bytes. */
const maxLength = 4096

const invalidFormat = 'must be valid format'

function nameErrors(field: string, name: string, unknown: string): FieldError[] {
  const [, form] = forms.find(([start]) => name.startsWith(start)) ?? []
  if (form === undefined) return [invalidValue(field, name, unknown)]
  return name.length <= maxLength && form.test(name) ? [] : [invalidValue(field, name, invalidFormat)]
}

type Source = Readonly<Record<string, unknown>>

/** The errors of an iSCSI disk of a pod; `validateISCSIVolumeSource` of Kubernetes v1.36.3. */
export function iscsiErrors(source: Source, path: string): FieldError[] {
  return diskErrors(source, path, `${invalidFormat} starting with iqn, eui, or naa`)
}

/** The errors of an iSCSI disk of a PersistentVolume. */
export function persistentIscsiErrors(source: Source, path: string): FieldError[] {
  return diskErrors(source, path, invalidFormat)
}

function diskErrors(source: Source, path: string, unknown: string): FieldError[] {
  const [portal, iqn] = [textAt(source, 'targetPortal'), textAt(source, 'iqn')]
  const { lun = 0, initiatorName: initiator, secretRef } = source
  const isOdd = Number(lun) < 0 || Number(lun) > 255
  const isChecked = source.chapAuthDiscovery === true || source.chapAuthSession === true
  return [
    ...(portal === '' ? [required(`${path}.targetPortal`, '')] : []),
    ...(iqn === '' ? [required(`${path}.iqn`, '')] : nameErrors(`${path}.iqn`, iqn, unknown)),
    ...(isOdd ? [invalidValue(`${path}.lun`, lun, 'must be between 0 and 255, inclusive')] : []),
    ...(isChecked && secretRef === undefined ? [required(`${path}.secretRef`, '')] : []),
    ...(initiator === undefined ? [] : nameErrors(`${path}.initiatorname`, String(initiator), unknown)),
  ]
}
