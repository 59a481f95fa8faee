import { jsonEqual } from '../../sdk/kube/json.js'
import { type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseQuantity } from '../schema/quantity.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { subdomainName } from '../validation/names.js'
import { checkName, checkOptionalChoice } from '../validation/values.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'

/** What the rules look at in the spec of a PersistentVolumeClaim. */
interface ClaimSpec {
  readonly accessModes?: readonly string[]
  readonly selector?: LabelSelector
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
  readonly storageClassName?: string
  readonly volumeMode?: string
  readonly volumeName?: string
}

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const VOLUME_MODES = ['Block', 'Filesystem']

/** `ValidatePersistentVolumeClaimSpec` of Kubernetes v1.36.3. */
export function claimErrors(spec: ClaimSpec): FieldError[] {
  const { accessModes = [], selector, storageClassName = '' } = spec
  const least = 'at least 1 access mode is required'
  return [
    ...(accessModes.length === 0 ? [required('spec.accessModes', least)] : []),
    ...(selector === undefined ? [] : selectorErrors(selector, 'spec.selector')),
    ...modeErrors(accessModes),
    ...sizeErrors('spec.resources[storage]', spec.resources?.requests?.storage),
    ...(storageClassName === '' ? [] : checkName('spec.storageClassName', storageClassName, subdomainName)),
    ...checkOptionalChoice('spec.volumeMode', spec.volumeMode, VOLUME_MODES),
  ]
}

function modeErrors(modes: readonly string[]): FieldError[] {
  const field = 'spec.accessModes'
  const unknown = modes.filter((mode) => !MODES.includes(mode))
  const alone = modes.includes('ReadWriteOncePod')
  const isShared = alone && modes.some((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(mode))
  const why = 'may not use ReadWriteOncePod with other access modes'
  return [
    ...unknown.map((mode) => unsupported(field, JSON.stringify(mode), MODES)),
    ...(isShared ? [forbiddenValue(field, why)] : []),
  ]
}

function sizeErrors(field: string, size: string | undefined): FieldError[] {
  if (size === undefined) return [required(field, '')]
  const { nano } = parseQuantity(size)
  if (nano <= 0n) return [invalidValue(field, size, 'must be greater than zero')]
  return []
}

const IMMUTABLE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n'

/** What an update may not change: a claim that is bound may ask for more, and be of another class of attributes. */
export function claimChangeErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const isBound = textAt(object, 'status', 'phase') === 'Bound'
  const [spec, before]: [ClaimSpec, ClaimSpec] = [recordOf(object.spec), recordOf(old.spec)]
  const isFirstVolume = (before.volumeName ?? '') === ''
  const isFirstClass = before.storageClassName === undefined
  const fixed = (each: ClaimSpec) => fixedPart(each, { isBound, isFirstVolume, isFirstClass })
  const mode = spec.volumeMode ?? null
  return [
    ...(jsonEqual(fixed(spec), fixed(before)) ? [] : [forbiddenValue('spec', IMMUTABLE)]),
    ...shrinkErrors(object, old),
    ...(mode === (before.volumeMode ?? null) ? [] : [invalidValue('volumeMode', mode, 'field is immutable')]),
  ]
}

interface Freedom {
  readonly isBound: boolean
  readonly isFirstVolume: boolean
  readonly isFirstClass: boolean
}

function fixedPart(spec: ClaimSpec, { isBound, isFirstVolume, isFirstClass }: Freedom): object {
  const fixed: Record<string, unknown> = { ...spec }
  if (isFirstVolume) delete fixed.volumeName
  if (isFirstClass) delete fixed.storageClassName
  if (!isBound) return fixed
  const { storage: _size, ...requests } = spec.resources?.requests ?? {}
  const { volumeAttributesClassName: _class, ...rest } = fixed
  return { ...rest, resources: { ...spec.resources, requests } }
}

/** Asking for less is allowed down to what is there, to get out of a growth that failed. */
function shrinkErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const sizeOf =
    (...path: readonly string[]) =>
    (each: OpenObject) =>
      parseQuantity(textAt(each, ...path, 'storage') || '0').nano
  const asked = sizeOf('spec', 'resources', 'requests')
  const isLess = asked(object) < asked(old)
  if (!isLess || asked(object) > sizeOf('status', 'capacity')(old)) return []
  return [forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity')]
}

/** What the rules look at in the spec of a PersistentVolume. */
interface VolumeSpec {
  readonly accessModes?: readonly string[]
  readonly capacity?: Readonly<Record<string, string>>
  readonly persistentVolumeReclaimPolicy?: string
  readonly volumeMode?: string
}

/** The most that a PersistentVolume must say; sources are taken as they come. */
export function volumeErrors(spec: VolumeSpec, old: VolumeSpec | undefined): FieldError[] {
  const { accessModes = [], capacity = {}, volumeMode = null } = spec
  const isSame = old === undefined || volumeMode === (old.volumeMode ?? null)
  const unknown = accessModes.filter((mode) => !MODES.includes(mode))
  const isStorage = capacity.storage !== undefined && Object.keys(capacity).length === 1
  return [
    ...(accessModes.length === 0 ? [required('spec.accessModes', '')] : []),
    ...unknown.map((mode) => unsupported('spec.accessModes', JSON.stringify(mode), MODES)),
    ...(Object.keys(capacity).length === 0 ? [required('spec.capacity', '')] : []),
    ...(isStorage ? [] : [unsupported('spec.capacity', JSON.stringify(capacity), ['storage'])]),
    ...checkOptionalChoice('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...checkOptionalChoice('spec.volumeMode', spec.volumeMode, VOLUME_MODES),
    ...(isSame ? [] : [invalidValue('volumeMode', volumeMode, 'field is immutable')]),
  ]
}
