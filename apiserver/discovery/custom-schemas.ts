import type { Schema } from '../schema/structural-schema.js'
import { type ApiSchema, embeddedTypeFields, objectMetadata, typeFields } from './well-known-schemas.js'

/** The OpenAPI name of a custom kind: its reversed group, its version and its kind. */
export function customSchemaName(group: string, version: string, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.')
}

/**
 * The published schema of a custom resource: that of its definition, with the fields of every object and the
 * selectable fields. Follows `pkg/controller/openapi/builder/builder.go` of k8s.io/apiextensions-apiserver
 * v0.36.3.
 */
export function customSchema(schema: Schema, selectable: readonly string[]): ApiSchema {
  const ownSchema = publishSchema(schema)
  const fields = selectable.map((fieldPath) => ({ fieldPath }))
  return {
    ...ownSchema,
    type: 'object',
    properties: { ...ownSchema.properties, ...typeFields, metadata: objectMetadata },
    ...(fields.length > 0 && { 'x-kubernetes-selectable-fields': fields }),
  }
}

function publishSchema(schema: Schema): ApiSchema {
  const { properties, items, additionalProperties, ...rest } = schema
  const node: ApiSchema = {
    ...(rest as ApiSchema),
    ...(properties !== undefined && { properties: publishProperties(properties) }),
    ...(items !== undefined && { items: publishSchema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? publishSchema(additionalProperties) : additionalProperties,
    }),
  }
  if (schema['x-kubernetes-embedded-resource'] === true) return publishEmbedded(node)
  return schema['x-kubernetes-int-or-string'] === true && schema.anyOf === undefined
    ? { ...node, anyOf: [{ type: 'integer' }, { type: 'string' }] }
    : node
}

function publishProperties(properties: Readonly<Record<string, Schema>>): Record<string, ApiSchema> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, publishSchema(schema)] as const)
  return Object.fromEntries(entries)
}

/** The schema of an embedded object, which has its own kind and version. */
function publishEmbedded(node: ApiSchema): ApiSchema {
  const required = new Set([...(node.required ?? []), 'kind', 'apiVersion'])
  return {
    ...node,
    required: [...required],
    properties: { ...node.properties, ...embeddedTypeFields, metadata: objectMetadata },
  }
}
