import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf, textAt } from '../base/object.js'
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
import { checkName, checkOptionalChoice, checkQualified } from '../validation/values.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'

/** The fields of a PersistentVolumeClaim's spec that the rules read. */
interface ClaimSpec {
  readonly accessModes?: readonly string[]
  readonly selector?: LabelSelector
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
  readonly storageClassName?: string
  readonly volumeMode?: string
  readonly volumeName?: string
  readonly volumeAttributesClassName?: string
  readonly dataSource?: DataSource
  readonly dataSourceRef?: DataSource
}

/** The data source of a claim. */
interface DataSource {
  readonly apiGroup?: string | null
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
}

const knownAccessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
/** The volume modes. */
export const volumeModes = ['Block', 'Filesystem']

/** `ValidatePersistentVolumeClaimSpec` of Kubernetes v1.36.3. */
export function claimErrors(spec: ClaimSpec): FieldError[] {
  const { accessModes = [], selector, storageClassName = '' } = spec
  const { volumeAttributesClassName: attributes = '' } = spec
  const message = 'at least 1 access mode is required'
  return [
    ...(accessModes.length === 0 ? [required('spec.accessModes', message)] : []),
    ...(selector === undefined ? [] : selectorErrors(selector, 'spec.selector')),
    ...modeErrors(accessModes),
    ...sizeErrors('spec.resources[storage]', spec.resources?.requests?.storage),
    ...(storageClassName === ''
      ? []
      : checkName('spec.storageClassName', storageClassName, checkSubdomainName)),
    ...checkOptionalChoice('spec.volumeMode', spec.volumeMode, volumeModes),
    ...sourceErrors(spec.dataSource, 'spec.dataSource'),
    ...sourceErrors(spec.dataSourceRef, 'spec.dataSourceRef'),
    ...sameSourceErrors(spec),
    ...(attributes === '' ? [] : checkName('spec.volumeAttributesClassName', attributes, checkSubdomainName)),
  ]
}

function sourceErrors(source: DataSource | undefined, path: string): FieldError[] {
  if (source === undefined) return []
  const { kind = '', name = '' } = source
  const apiGroup = source.apiGroup ?? ''
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  const isOdd = apiGroup === '' && kind !== 'PersistentVolumeClaim'
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : []),
    ...(kind === '' ? [required(`${path}.kind`, '')] : []),
    ...(isOdd ? [invalidValue(path, kind, why)] : []),
    ...(apiGroup === '' ? [] : checkName(`${path}.apiGroup`, apiGroup, checkSubdomainName)),
  ]
}

/** The error if `dataSource` and `dataSourceRef` differ. Go prints a path in this error instead of the value. */
function sameSourceErrors({ dataSource, dataSourceRef }: ClaimSpec): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return []
  const isSame = (['apiGroup', 'kind', 'name'] as const).every(
    (name) => (dataSource[name] ?? '') === (dataSourceRef[name] ?? ''),
  )
  return isSame ? [] : [invalidValue('spec', {}, 'must match dataSourceRef')]
}

/** The errors of access modes. */
export function modeErrors(modes: readonly string[]): FieldError[] {
  const field = 'spec.accessModes'
  const unknown = modes.filter((mode) => !knownAccessModes.includes(mode))
  const alone = modes.includes('ReadWriteOncePod')
  const isShared =
    alone && modes.some((mode) => mode !== 'ReadWriteOncePod' && knownAccessModes.includes(mode))
  const why = 'may not use ReadWriteOncePod with other access modes'
  return [
    ...unknown.map((mode) => unsupported(field, JSON.stringify(mode), knownAccessModes)),
    ...(isShared ? [forbiddenValue(field, why)] : []),
  ]
}

function sizeErrors(field: string, size: string | undefined): FieldError[] {
  if (size === undefined) return [required(field, '')]
  const { nano } = parseQuantity(size)
  if (nano <= 0n) return [invalidValue(field, size, 'must be greater than zero')]
  return []
}

const immutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n'

/** The errors of an update: a bound claim may only request more storage or another attributes class. */
export function claimChangeErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const isBound = textAt(object, 'status', 'phase') === 'Bound'
  const [spec, before]: [ClaimSpec, ClaimSpec] = [recordOf(object.spec), recordOf(old.spec)]
  const isFirstVolume = (before.volumeName ?? '') === ''
  const isFirstClass = before.storageClassName === undefined
  const fixed = (each: ClaimSpec) => fixedPart(each, { isBound, isFirstVolume, isFirstClass })
  const mode = spec.volumeMode ?? null
  return [
    ...immutableErrors(fixed(spec), fixed(before)),
    ...shrinkErrors(object, old),
    ...(mode === (before.volumeMode ?? null) ? [] : [invalidValue('volumeMode', mode, 'field is immutable')]),
  ]
}

function immutableErrors(fixed: object, before: object): FieldError[] {
  if (jsonEqual(fixed, before)) return []
  const difference = goDifference(before, fixed)
  return [forbiddenValue('spec', `${immutable}${difference}`)]
}

interface AllowedChanges {
  readonly isBound: boolean
  readonly isFirstVolume: boolean
  readonly isFirstClass: boolean
}

function fixedPart(spec: ClaimSpec, { isBound, isFirstVolume, isFirstClass }: AllowedChanges): object {
  const fixed: Record<string, unknown> = { ...spec }
  if (isFirstVolume) delete fixed.volumeName
  if (isFirstClass) delete fixed.storageClassName
  if (!isBound) return fixed
  const { storage: _size, ...requests } = spec.resources?.requests ?? {}
  const { volumeAttributesClassName: _class, ...rest } = fixed
  return { ...rest, resources: { ...spec.resources, requests } }
}

/** The request may shrink to the present capacity, to recover from a failed expansion. */
function shrinkErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const sizeOf =
    (...path: readonly string[]) =>
    (each: OpenObject) =>
      parseQuantity(textAt(each, ...path, 'storage') || '0').nano
  const requested = sizeOf('spec', 'resources', 'requests')
  const isLess = requested(object) < requested(old)
  if (!isLess || requested(object) > sizeOf('status', 'capacity')(old)) return []
  return [forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity')]
}

/** The errors of a claim's status; `ValidatePersistentVolumeClaimStatusUpdate` of Kubernetes v1.36.3. */
export function claimStatusErrors({ status }: OpenObject): FieldError[] {
  const { capacity, allocatedResourceStatuses: growth, allocatedResources } = recordOf(status)
  const grown = 'status.allocatedResourceStatuses'
  const allocated = 'status.allocatedResources'
  return [
    ...Object.entries(recordOf(capacity)).flatMap(([name, text]) =>
      amountErrors(`status.capacity[${name}]`, text),
    ),
    ...Object.entries(recordOf(growth)).flatMap(([name, step]) => [
      ...keyErrors(grown, name),
      ...(steps.includes(String(step)) ? [] : [unsupported(grown, JSON.stringify(name), steps)]),
    ]),
    ...Object.entries(recordOf(allocatedResources)).flatMap(([name, text]) => {
      const errors = keyErrors(allocated, name)
      return errors.length > 0 ? errors : amountErrors(`${allocated}[${name}]`, text)
    }),
  ]
}

const steps = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort()

function amountErrors(field: string, text: unknown): FieldError[] {
  const { nano } = parseQuantity(String(text))
  return nano < 0n ? [invalidValue(field, Number(text), 'must be a valid resource quantity')] : []
}

/** Storage is the only standard resource of a claim. */
function keyErrors(field: string, name: string): FieldError[] {
  const errors = checkQualified(field, name)
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  if (errors.length > 0 || !isNative || name === 'storage') return errors
  return [unsupported(field, JSON.stringify(name), ['storage'])]
}
