import type { Schema } from '../schema/structural-schema.js'

/** A schema of an OpenAPI v3 document: that of a definition, and references to others. */
export interface ApiSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties' | 'allOf'> {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly items?: ApiSchema
  readonly additionalProperties?: ApiSchema | boolean
  readonly allOf?: readonly ApiSchema[]
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly object[]
  readonly 'x-kubernetes-selectable-fields'?: readonly object[]
}

/** The package of the metadata types of all kinds. */
export const metaTypes = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

/** The prefix of the types that hold JSON in a CustomResourceDefinition. */
export const schemaTypes = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON'

/** A reference to a schema elsewhere in the document. */
export function reference(name: string): ApiSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** A reference with further members, which OpenAPI allows only in this form. */
export function referenceWith(name: string, siblings: ApiSchema): ApiSchema {
  return { ...siblings, allOf: [reference(name)] }
}

/** Schemas of the types that are one value in JSON, by their names. */
export const scalarSchemas: Readonly<Record<string, ApiSchema>> = {
  [`${metaTypes}Time`]: { type: 'string', format: 'date-time' },
  [`${metaTypes}MicroTime`]: { type: 'string', format: 'date-time' },
  [`${metaTypes}Duration`]: { type: 'string' },
  [`${metaTypes}FieldsV1`]: { type: 'object' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
  [schemaTypes]: {},
  [`${schemaTypes}SchemaPropsOrArray`]: {},
  [`${schemaTypes}SchemaPropsOrBool`]: {},
  [`${schemaTypes}SchemaPropsOrStringArray`]: {},
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

/** The fields `kind` and `apiVersion` of every object, with the texts of Go's TypeMeta. */
export const typeFields: Readonly<Record<string, ApiSchema>> = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
}

/** The fields `kind` and `apiVersion` of an object inside another one. */
export const embeddedTypeFields: Readonly<Record<string, ApiSchema>> = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
}

/** The metadata of an object. */
export const objectMetadata: ApiSchema = referenceWith(`${metaTypes}ObjectMeta`, {
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
})

/** The metadata of a list. */
export const listMetadata: ApiSchema = referenceWith(`${metaTypes}ListMeta`, {
  description: `Standard list metadata. More info: ${conventions}#types-kinds`,
})

/** {@link metaTypes}`ListMeta`. */
export const listMetaSchema: ApiSchema = {
  type: 'object',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer', format: 'int64' },
    resourceVersion: { type: 'string' },
    selfLink: { type: 'string' },
  },
}
