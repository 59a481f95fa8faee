import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { checkRfc1035Label, checkSubdomainName } from '../../validation/names.js'
import { conditionIs } from './conditions.js'
import { type DefinedVersion, isShared, namesOf, type SharedPart, versionsOf } from './definition.js'
import { validateConversion } from './validate-conversion.js'
import { validateNames, validateRequiredNames } from './validate-names.js'
import { validateSchema } from './validate-schema.js'
import { validateSelectable } from './validate-selectable.js'
import { validateColumns, validateSubresources } from './validate-version.js'

/**
 * Validates a CustomResourceDefinition with the texts of `pkg/apis/apiextensions/validation/validation.go` of
 * k8s.io/apiextensions-apiserver v0.36.3.
 */
export function validateDefinition(definition: OpenObject, old: OpenObject | undefined): FieldError[] {
  return [
    ...(old === undefined ? validateName(definition) : []),
    ...validateGroup(textAt(definition, 'spec', 'group')),
    ...validateScope(textAt(definition, 'spec', 'scope')),
    ...validateVersions(definition),
    ...validateRequiredNames(namesOf(definition)),
    ...validateNames(namesOf(definition), 'spec.names'),
    ...validateShared(definition),
    ...validateConversion(definition, old),
    ...(old === undefined ? [] : validateUnchanged(definition, old)),
    ...validateStored(definition),
    ...validateApproval(definition, old),
    ...validatePreserving(definition),
  ]
}

function validateName(definition: OpenObject): FieldError[] {
  const { name = '', generateName = '' } = definition.metadata
  const expected = `${namesOf(definition).plural}.${textAt(definition, 'spec', 'group')}`
  return Object.entries({ generateName, name }).flatMap(([field, text]) =>
    text === '' || text === expected
      ? []
      : [invalidValue(`metadata.${field}`, text, 'must be spec.names.plural+"."+spec.group')],
  )
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group', '')]
  const problem = checkSubdomainName(group)
  if (problem !== undefined) return [invalidValue('spec.group', group, problem)]
  if (group.includes('.')) return []
  return [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope', '')]
  if (scope === 'Cluster' || scope === 'Namespaced') return []
  return [unsupported('spec.scope', JSON.stringify(scope), ['Cluster', 'Namespaced'])]
}

function validateVersions(definition: OpenObject): FieldError[] {
  const versions = versionsOf(definition)
  const errors = versions.flatMap((version, index) =>
    version.schema?.openAPIV3Schema === undefined
      ? [required(`spec.versions[${index}].schema.openAPIV3Schema`, '')]
      : [],
  )
  for (const [index, version] of versions.entries()) {
    errors.push(...validateVersion(version, `spec.versions[${index}]`, (part) => isShared(versions, part)))
  }
  const internalVersions = versions.map((version) =>
    internalVersion(version, (part) => isShared(versions, part)),
  )
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    errors.push(invalidValue('spec.versions', internalVersions, 'must contain unique version names'))
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const why = 'must have exactly one version marked as storage version'
    errors.push(invalidValue('spec.versions', versions.length === 0 ? null : internalVersions, why))
  }
  const [{ name: first } = { name: '' }] = versions
  const problem = first === '' ? undefined : checkRfc1035Label(first)
  // The internal type has a separate field for the first version, which is validated as well.
  return problem === undefined ? errors : [...errors, invalidValue('spec.version', first, problem)]
}

type IsShared = (part: SharedPart) => boolean

/** Go prints the version in its internal type. */
function internalVersion(version: DefinedVersion, shared: IsShared): object {
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: shared('schema') ? null : (version.schema ?? null),
    Subresources: shared('subresources') ? null : (version.subresources ?? null),
    AdditionalPrinterColumns: shared('additionalPrinterColumns')
      ? null
      : (version.additionalPrinterColumns ?? null),
    SelectableFields: shared('selectableFields') ? null : (version.selectableFields ?? null),
  }
}

function validateVersion(version: DefinedVersion, path: string, shared: IsShared): FieldError[] {
  const problem = checkRfc1035Label(version.name)
  const errors = problem === undefined ? [] : [invalidValue(`${path}.name`, version.name, problem)]
  if (version.deprecationWarning !== undefined && version.deprecated !== true) {
    const why = 'can only be set for deprecated versions'
    errors.push(invalidValue(`${path}.deprecationWarning`, version.deprecationWarning, why))
  }
  if (!shared('schema')) errors.push(...schemaErrors(version, `${path}.schema`))
  if (!shared('subresources')) {
    errors.push(...validateSubresources(version.subresources, `${path}.subresources`))
  }
  if (!shared('additionalPrinterColumns')) {
    errors.push(...validateColumns(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`))
  }
  if (!shared('selectableFields')) {
    errors.push(...selectableErrors(version, `${path}.selectableFields`, !shared('schema')))
  }
  return errors
}

/**
 * The errors of selectable fields. `hasSchemaAtPath` is false if only one of schema and selectable fields is shared by
 * all versions: then they are in different places, and the fields cannot be checked.
 */
function selectableErrors(version: DefinedVersion, path: string, hasSchemaAtPath: boolean): FieldError[] {
  const { selectableFields = [], schema } = version
  if (selectableFields.length === 0) return []
  const root = schema?.openAPIV3Schema
  if (hasSchemaAtPath && root !== undefined) return validateSelectable(selectableFields, root, path)
  const why = path.includes('versions[')
    ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
    : 'may only be set when validations.schema is included'
  return [invalidValue(path, '', why)]
}

function schemaErrors({ schema, subresources }: DefinedVersion, path: string): FieldError[] {
  const root = schema?.openAPIV3Schema
  if (root === undefined) return []
  return validateSchema(root, `${path}.openAPIV3Schema`, subresources?.status !== undefined)
}

/**
 * Parts that are equal in all versions are validated once, at the path that they had before there were
 * versions.
 */
function validateShared(definition: OpenObject): FieldError[] {
  const versions = versionsOf(definition)
  const [first] = versions
  if (first === undefined) return []
  return [
    ...(isShared(versions, 'schema') ? schemaErrors(first, 'spec.validation') : []),
    ...(isShared(versions, 'subresources')
      ? validateSubresources(first.subresources, 'spec.subresources')
      : []),
    ...(isShared(versions, 'additionalPrinterColumns')
      ? validateColumns(first.additionalPrinterColumns, 'spec.additionalPrinterColumns')
      : []),
    ...(isShared(versions, 'selectableFields')
      ? selectableErrors(first, 'spec.selectableFields', isShared(versions, 'schema'))
      : []),
  ]
}

function validateUnchanged(definition: OpenObject, old: OpenObject): FieldError[] {
  const always = [['group'], ['names', 'plural']]
  const established = conditionIs(old, 'Established', 'True') ? [['scope'], ['names', 'kind']] : []
  return [...established, ...always].flatMap((path) => {
    const value = fieldAt(definition, 'spec', ...path)
    if (jsonEqual(value, fieldAt(old, 'spec', ...path))) return []
    return [invalidValue(`spec.${path.join('.')}`, value, 'field is immutable')]
  })
}

function validateStored(definition: OpenObject): FieldError[] {
  const storedVersions = fieldAt(definition, 'status', 'storedVersions')
  const stored = Array.isArray(storedVersions) ? storedVersions.map(String) : []
  const path = 'status.storedVersions'
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')]
  const versions = versionsOf(definition)
  const unstored = versions.filter(({ storage, name }) => storage && !stored.includes(name))
  const errors = unstored.map(({ name }) =>
    invalidValue(path, stored, `must have the storage version ${name}`),
  )
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(invalidValue(`${path}[${index}]`, name, why))
  }
  return errors
}

const approvalAnnotation = 'api-approved.kubernetes.io'

/** Groups of the Kubernetes community need an annotation about their API review; https://kep.k8s.io/1111 */
function validateApproval(definition: OpenObject, old: OpenObject | undefined): FieldError[] {
  const group = textAt(definition, 'spec', 'group')
  if (!/(^|\.)(k8s\.io|kubernetes\.io)$/.test(group)) return []
  const approval = definition.metadata.annotations?.[approvalAnnotation] ?? ''
  const path = `metadata.annotations[${approvalAnnotation}]`
  if (old !== undefined && (old.metadata.annotations?.[approvalAnnotation] ?? '') === approval) return []
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111'
  if (approval === '')
    return [required(path, `protected groups must have approval annotation "${approvalAnnotation}", ${link}`)]
  if (approval.startsWith('unapproved') || /^https?:\/\/./.test(approval)) return []
  const why = `protected groups must have approval annotation "${approvalAnnotation}" with either a URL or a reason starting with "unapproved", ${link}`
  return [invalidValue(path, approval, why)]
}

function validatePreserving(definition: OpenObject): FieldError[] {
  if (fieldAt(definition, 'spec', 'preserveUnknownFields') !== true) return []
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidValue('spec.preserveUnknownFields', true, why)]
}
