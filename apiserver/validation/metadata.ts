import { labelKeyProblems, labelValueProblems } from '../../sdk/engine/kube/label-syntax.js'
import type { KubeObject, ObjectMeta, OwnerReference } from '../../sdk/engine/kube/object.js'
import { parseApiVersion } from '../base/api-version.js'
import { type FieldError, invalidValue, required, tooLong } from './field-error.js'
import type { NameRule } from './names.js'

/** The maximum total size of an object's annotations, keys and values. */
const maxAnnotationBytes = 256 * 1024

/** Checks name, labels, annotations, finalizers and owner references. */
export function validateMetadata({ metadata }: KubeObject, nameRule: NameRule): FieldError[] {
  return [
    ...validateGenerateName(metadata, nameRule),
    ...validateName(metadata, nameRule),
    ...validateGeneration(metadata),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
    ...validateOwners(metadata),
    ...validateFinalizers(metadata.finalizers),
  ]
}

/** A generated suffix follows, so a hyphen at the end is valid. */
function validateGenerateName({ generateName = '' }: ObjectMeta, nameRule: NameRule): FieldError[] {
  if (generateName === '') return []
  const problem = nameRule(generateName.replace(/.-$/, 'a'))
  return problem === undefined ? [] : [invalidValue('metadata.generateName', generateName, problem)]
}

function validateName({ name = '' }: ObjectMeta, nameRule: NameRule): FieldError[] {
  if (name === '') return [required('metadata.name', 'name or generateName is required')]
  const problem = nameRule(name)
  return problem === undefined ? [] : [invalidValue('metadata.name', name, problem)]
}

function validateGeneration({ generation = 0 }: ObjectMeta): FieldError[] {
  if (generation >= 0) return []
  return [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')]
}

/** Checks the keys and values of labels, or of a selector. */
export function validateLabels(
  labels: Readonly<Record<string, string>> = {},
  field = 'metadata.labels',
): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((problem) => invalidValue(field, key, problem)),
    ...labelValueProblems(value).map((problem) => invalidValue(field, value, problem)),
  ])
}

/** Checks the keys of annotations, and their total size. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> = {},
  field = 'metadata.annotations',
): FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
    // Keys of annotations may be upper case, including their prefix.
    const problems = labelKeyProblems(key.toLowerCase())
    errors.push(...problems.map((problem) => invalidValue(field, key, problem)))
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes))
  return errors
}

function validateOwners({ ownerReferences = [] }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  let controller: string | undefined
  for (const owner of ownerReferences) {
    errors.push(...ownerErrors(owner))
    if (owner.controller !== true) continue
    const name = `${owner.kind}/${owner.name}`
    if (controller === undefined) controller = name
    else
      errors.push(
        invalidValue('metadata.ownerReferences', ownerReferences, secondController(controller, name)),
      )
  }
  return errors
}

function secondController(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
}

function ownerErrors(owner: OwnerReference): FieldError[] {
  const field = 'metadata.ownerReferences'
  const { apiVersion = '', kind } = owner
  const isVersioned = apiVersion.split('/').length < 3 && parseApiVersion(apiVersion).version !== ''
  return [
    ...(isVersioned ? [] : [invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty')]),
    ...ownerFields
      .filter((name) => !owner[name])
      .map((name) => invalidValue(`${field}.${name}`, '', 'must not be empty')),
    ...(kind === 'Event' && (apiVersion === 'v1' || apiVersion === '/v1')
      ? [invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ]
}

const ownerFields = ['kind', 'name', 'uid'] as const

function validateFinalizers(finalizers: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = []
  for (const finalizer of finalizers) {
    const problems = labelKeyProblems(finalizer)
    errors.push(...problems.map((problem) => invalidValue('metadata.finalizers', finalizer, problem)))
  }
  return errors
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

/** A finalizer of a built-in kind must be one of Kubernetes, or have a domain as its prefix. */
export function validateFinalizerNames({ metadata }: KubeObject): FieldError[] {
  return (metadata.finalizers ?? []).flatMap((finalizer, index) => {
    const field = `metadata.finalizers[${index}]`
    return isKnownFinalizer(finalizer) ? [] : [invalidValue(field, finalizer, unknownFinalizer)]
  })
}

/** The error of a finalizer that is not known. */
export const unknownFinalizer = 'name is neither a standard finalizer name nor is it fully qualified'

/** Whether a finalizer is one of Kubernetes' own, or has a domain as its prefix. */
export function isKnownFinalizer(name: string): boolean {
  return name.includes('/') || standardFinalizers.includes(name)
}

/**
 * Checks the metadata of an update: immutable fields, and fields that an update may set to invalid values.
 * `ending` are the errors of {@link validateDeletion} from before the server set the fields that it keeps.
 */
export function validateMetadataUpdate(
  next: ObjectMeta,
  old: ObjectMeta,
  ending: readonly FieldError[] = [],
): FieldError[] {
  return [
    ...validateNewFinalizers(next, old),
    ...ending,
    ...validateLabels(next.labels),
    ...validateAnnotations(next.annotations),
    ...validateOwners(next),
  ]
}

function validateNewFinalizers(next: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  const added = (next.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer))
  if (old.deletionTimestamp !== undefined && added.length > 0) {
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => `"${name}"`).join(', ')}}`
    errors.push({
      reason: 'FieldValueForbidden',
      message: `Forbidden: ${why}`,
      field: 'metadata.finalizers',
    })
  }
  return errors
}

/** Only a delete sets the deletion timestamp; an update may omit it. */
export function validateDeletion(requested: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  const why = 'field is immutable'
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = old.deletionGracePeriodSeconds } = requested
  if (deletionTimestamp !== undefined && old.deletionTimestamp === undefined) {
    errors.push(invalidValue('metadata.deletionTimestamp', deletionTimestamp, why))
  }
  if (grace !== old.deletionGracePeriodSeconds) {
    errors.push(invalidValue('metadata.deletionGracePeriodSeconds', grace, why))
  }
  return errors
}
