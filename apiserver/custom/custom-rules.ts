import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import type { ScalePaths } from '../resources/served-resource.js'
import { propertyOf, type Schema } from '../schema/structural-schema.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { finalizerWarnings } from '../validation/finalizer-warnings.js'
import { type RuleNode, ruleTree } from './cel/rule-tree.js'
import { validateRules } from './cel/validate-rules.js'
import { withDefaults } from './defaults.js'
import { validateEmbedded } from './embedded.js'
import { validateListTypes } from './list-types.js'
import { validateScale } from './scale-paths.js'
import { validateValue } from './validate-value.js'

/** The parts of one version of a custom resource that its rules need. */
export interface CustomVersion {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly schema: Schema
  readonly scale: ScalePaths | undefined
}

/**
 * The rules of one version of a custom resource: defaults and validation by its schema. In the order of
 * `pkg/registry/customresource/strategy.go` of k8s.io/apiextensions-apiserver v0.36.3.
 */
export function customRules(custom: CustomVersion): KindRules {
  const { schema } = custom
  const rules = lazyRules(schema)
  return {
    metadata: {
      generation: true,
      repeatedOnUpdate: 'change',
    },
    setDefaults: (object, _services, written) =>
      setSchemaDefaults(object, schema, written?.isApplied ?? false),
    validate: (object, old, subresource) => {
      const isStatus = subresource === 'status' && old !== undefined
      const errors = isStatus ? validateStatus(custom, object, old) : validateWhole(custom, object, old)
      const node = rules()
      return node === undefined
        ? errors
        : [...errors, ...ruleErrors(errors, () => evaluateRules(node, custom, object, old))]
    },
    create: {
      warnings: ({ metadata }) => finalizerWarnings(metadata.finalizers ?? []),
    },
    update: {
      needsVersion: true,
      warnings: ({ metadata }, old) => finalizerWarnings(metadata.finalizers ?? [], old.metadata.finalizers),
    },
  }
}

/** Sets the defaults of the schema; drops nulls, unless they are kept. */
function setSchemaDefaults(object: OpenObject, schema: Schema, keepsNulls: boolean): void {
  const { metadata: _metadata, ...fields } = object
  const filled = recordOf(withDefaults(fields, withoutMetadata(schema), { keepsNulls }))
  for (const name of Object.keys(fields)) if (!Object.hasOwn(filled, name)) delete object[name]
  Object.assign(object, filled)
}

/** The rules are compiled when the first object is validated. */
function lazyRules(schema: Schema): () => RuleNode | undefined {
  let built: { readonly node: RuleNode | undefined } | undefined
  return () => {
    built ??= { node: ruleTree(schema) }
    return built.node
  }
}

/** Schema errors with these reasons prevent the evaluation of rules. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

function ruleErrors(errors: readonly FieldError[], rest: () => FieldError[]): FieldError[] {
  if (!errors.some(({ reason }) => blocking.has(reason))) return rest()
  const why =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  return [invalidValue('<nil>', null, why)]
}

function evaluateRules(
  node: RuleNode,
  custom: CustomVersion,
  object: OpenObject,
  old: OpenObject | undefined,
): FieldError[] {
  const before = old === undefined ? undefined : { value: withKindAndVersion(old, custom) }
  return validateRules(node, withKindAndVersion(object, custom), before)
}

function withoutMetadata({ properties = {}, ...schema }: Schema): Schema {
  const { metadata: _metadata, ...others } = properties
  return { ...schema, properties: others }
}

function validateWhole(custom: CustomVersion, object: OpenObject, old: OpenObject | undefined): FieldError[] {
  const { schema, scale } = custom
  const typedObject = withKindAndVersion(object, custom)
  const context = {
    path: '',
    old: old === undefined ? undefined : { value: withKindAndVersion(old, custom) },
  }
  return [
    ...validateValue(typedObject, schema, context),
    ...validateScale(object, scale),
    ...validateEmbedded(object, schema),
    ...listErrors(object, old, schema),
  ]
}

/** A list that was already invalid may stay invalid. */
function listErrors(object: OpenObject, old: OpenObject | undefined, schema: Schema): FieldError[] {
  const errors = validateListTypes(object, schema)
  if (errors.length === 0 || old === undefined) return errors
  return validateListTypes(old, schema).length > 0 ? [] : errors
}

function withKindAndVersion(object: OpenObject, custom: CustomVersion): Record<string, unknown> {
  return { kind: custom.kind, apiVersion: apiVersionOf(custom), ...object }
}

/** A write to `/status` is validated only by the schema of the status, with paths relative to the status. */
function validateStatus({ schema, scale }: CustomVersion, object: OpenObject, old: OpenObject): FieldError[] {
  const below = propertyOf(schema, 'status')
  if (below === undefined || object.status === undefined) return []
  const before = fieldAt(old, 'status')
  const context = { path: '', old: before === undefined ? undefined : { value: before } }
  return [
    ...validateValue(object.status, below, context).map(belowStatusError),
    ...validateScale(object, scale, 'status'),
    ...validateEmbedded(object, schema),
    ...listErrors(object, old, schema),
  ]
}

function belowStatusError(error: FieldError): FieldError {
  return { ...error, field: error.field === '<nil>' ? 'status' : `status.${error.field}` }
}
