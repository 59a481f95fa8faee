import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { metadataStruct } from '../schema/schema.js'
import { additionalOf, propertyOf, type Schema } from '../schema/structural-schema.js'
import { readTyped } from '../schema/typed-json.js'
import { dropped, rewriteElements, rewriteMembers } from './rewrite.js'

/** An object without fields that its schema does not have. */
export interface PrunedObject {
  /** The object without unknown fields; the given object itself if nothing was removed. */
  readonly value: unknown
  /** The sorted paths of removed fields, for example `spec.steps[0].colour`. */
  readonly unknown: readonly string[]
}

interface FieldContext {
  readonly schema: Schema | undefined
  readonly path: string
  /** Whether unknown members are kept. */
  readonly keepsUnknown?: boolean
  readonly unknown: string[]
}

const metaFields = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Removes all fields of a custom resource that its schema does not have, except in its metadata; follows
 * `pkg/apiserver/schema/pruning/algorithm.go` of k8s.io/apiextensions-apiserver v0.36.3.
 */
export function pruneResource(object: Readonly<Record<string, unknown>>, schema: Schema): PrunedObject {
  const unknown: string[] = []
  const root = { ...schema, 'x-kubernetes-embedded-resource': true }
  const value = prune(object, { schema: root, path: '', unknown })
  return { value, unknown: unknown.sort() }
}

function prune(value: unknown, context: FieldContext): unknown {
  const { schema, path, unknown } = context
  const keepsUnknown =
    context.keepsUnknown === true || schema?.['x-kubernetes-preserve-unknown-fields'] === true
  if (keepsUnknown && schema === undefined) return value
  if (Array.isArray(value)) {
    return rewriteElements(value, (element, index) =>
      prune(element, { schema: schema?.items, path: `${path}[${index}]`, keepsUnknown, unknown }),
    )
  }
  if (!isJsonObject(value)) return value
  return rewriteMembers(value, (name, member) => pruneMember(name, member, { ...context, keepsUnknown }))
}

function pruneMember(
  name: string,
  member: unknown,
  { schema, path, keepsUnknown, unknown }: FieldContext,
): unknown {
  const below = path === '' ? name : `${path}.${name}`
  if (schema?.['x-kubernetes-embedded-resource'] === true && metaFields.has(name)) {
    return name === 'metadata' && path !== '' && isJsonObject(member)
      ? pruneMetadata(member, below, unknown)
      : member
  }
  const property = propertyOf(schema, name)
  if (property !== undefined) return prune(member, { schema: property, path: below, unknown })
  const isMap = schema?.additionalProperties !== undefined && schema.additionalProperties !== false
  if (isMap) return prune(member, { schema: additionalOf(schema), path: below, unknown })
  if (keepsUnknown === true) return member
  unknown.push(below)
  return dropped
}

/** An embedded object has the metadata of every object. Throws a `TypeMismatch`. */
function pruneMetadata(
  metadata: Readonly<Record<string, unknown>>,
  path: string,
  unknown: string[],
): unknown {
  const typed = readTyped(metadata, metadataStruct())
  unknown.push(...typed.unknown.map((field) => `${path}.${field}`))
  return typed.value
}
