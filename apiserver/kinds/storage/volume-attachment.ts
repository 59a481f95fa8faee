import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooLong,
} from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { checkName } from '../../validation/values.js'
import { inlineVolumeErrors, type VolumeSpec } from '../persistent-volume-errors.js'
import { driverNameErrors } from './driver-name-errors.js'

interface Source {
  readonly persistentVolumeName?: string
  readonly inlineVolumeSpec?: VolumeSpec
}

interface AttachmentSpec {
  readonly attacher?: string
  readonly nodeName?: string
  readonly source?: Source
}

interface VolumeError {
  readonly message?: string
  readonly errorCode?: number
}

const maxMetadataBytes = 256 * 1024
const maxMessageBytes = 1024

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume-attachment-v1/ */
export const volumeAttachmentRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'new',
  },
  validate: (object, old) => [
    ...specErrors(recordOf(object.spec)),
    ...statusErrors(object),
    ...volumeNameErrors(recordOf(object.spec)),
    ...(old === undefined || jsonEqual(object.spec, old.spec)
      ? []
      : [invalidValue('spec', specInGo(recordOf(object.spec)), 'field is immutable')]),
  ],
  update: {
    needsVersion: true,
  },
  status: {
    keptMetadata: 'metadata',
  },
  delete: {
    returnsObject: true,
  },
}

function specErrors({ attacher = '', nodeName = '', source = {} }: AttachmentSpec): FieldError[] {
  return [
    ...driverNameErrors('spec.attacher', attacher),
    ...sourceErrors(source),
    ...checkName('spec.nodeName', nodeName, checkSubdomainName),
  ]
}

/** `validateVolumeAttachmentSource` of Kubernetes v1.36.3. */
function sourceErrors({ persistentVolumeName: name, inlineVolumeSpec: inline }: Source): FieldError[] {
  const path = 'spec.source'
  const exactlyOneText = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name === undefined && inline === undefined) return [required(path, exactlyOneText)]
  if (name !== undefined && inline !== undefined) return [forbiddenValue(path, exactlyOneText)]
  if (inline !== undefined) return inlineVolumeErrors(inline, `${path}.inlineVolumeSpec`)
  const empty = 'must specify non empty persistentVolumeName'
  return name === '' ? [required(`${path}.persistentVolumeName`, empty)] : []
}

function volumeNameErrors({ source: { persistentVolumeName: name } = {} }: AttachmentSpec): FieldError[] {
  return name === undefined ? [] : checkName('spec.source.persistentVolumeName', name, checkSubdomainName)
}

function statusErrors({ status }: OpenObject): FieldError[] {
  const { attachmentMetadata, attachError, detachError } = recordOf(status)
  const bytes = Buffer.byteLength(Object.entries(recordOf(attachmentMetadata)).flat().join(''))
  return [
    ...(bytes > maxMetadataBytes ? [tooLong('status.attachmentMetadata', maxMetadataBytes)] : []),
    ...attachErrorErrors('status.attachError', recordOf(attachError)),
    ...attachErrorErrors('status.detachError', recordOf(detachError)),
  ]
}

/** The errors of an attach or detach error. As in Kubernetes, the limit in the text is not the one that is checked. */
function attachErrorErrors(path: string, { message = '', errorCode = 0 }: VolumeError): FieldError[] {
  const isLong = Buffer.byteLength(message) > maxMessageBytes
  const range = 'must be between 0 and 2147483647, inclusive'
  return [
    ...(isLong ? [tooLong(`${path}.message`, maxMetadataBytes)] : []),
    ...(errorCode < 0 ? [invalidValue(`${path}.errorCode`, errorCode, range)] : []),
  ]
}

/** A spec as Go prints it without JSON names. */
function specInGo({ attacher = '', nodeName = '', source = {} }: AttachmentSpec): object {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = source
  const shownValue = { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec }
  return { Attacher: attacher, Source: shownValue, NodeName: nodeName }
}
