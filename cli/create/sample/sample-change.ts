import isEqual from 'lodash/isEqual.js'
import mapValues from 'lodash/mapValues.js'
import pickBy from 'lodash/pickBy.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { contentSchemas } from '../schema/content-schemas.js'
import type { OpenApiSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import { type SchemaPath, schemaAtPath } from '../schema/schema-path.js'
import type { FoundReference } from '../schema/schema-references.js'
import { sampleValueAt, withValueAt } from './edit-sample.js'
import type { SampleTrial } from './sample-trial.js'

/** Schema, references and API server for the search of a sample. */
export interface SampleSearch {
  schema: OpenApiSchema
  references: readonly FoundReference[]
  trial: SampleTrial
}

/** Maximum number of tried changes. */
const maxTries = 100

/** The content with a change that the server accepts. Adds a scalar field if no existing one can be changed. */
export async function withChange(
  content: object,
  search: SampleSearch,
): Promise<{ content: object; change?: object }> {
  for (const path of changeablePaths(content, search).slice(0, maxTries)) {
    const change = changeAt(content, { schema: search.schema, path })
    if (!change) continue
    const { problems } = await search.trial.tryObject(change.content, change.change)
    if (!problems) return change
  }
  return { content }
}

/** A content with a value at a path, and its change as a merge patch; undefined if the schema allows no other value. */
function changeAt(content: object, { schema, path }: { schema: OpenApiSchema; path: SchemaPath }) {
  const field = schemaAtPath(schema, path) ?? {}
  const [first, second] = [sampleOfSchema(field, 1), sampleOfSchema(field, 2)]
  const hasValue = sampleValueAt(content, path) !== undefined
  const base = hasValue ? content : withValueAt(content, { schema, path, value: first })
  const changed = withValueAt(base, { schema, path, value: second })
  if (base === undefined || changed === undefined || isEqual(changed, base)) return undefined
  return { content: base as object, change: mergePatch(base, changed) as object }
}

/** Scalar fields that are not references: fields of the sample first, then by depth. */
function changeablePaths(content: object, { schema, references }: SampleSearch): SchemaPath[] {
  // Fields of a Pod specification may be changed: its entry represents all references in it.
  const isReference = (path: SchemaPath) =>
    references.some(
      ({ segments, members }) => !members && segments.every((segment, index) => segment === path[index]),
    )
  const fields = contentSchemas(schema).filter(([name]) => name === 'spec' || schema.required?.includes(name))
  const paths = fields.flatMap(([name, field]) => scalarPaths(field, [name], 6))
  const rank = (path: SchemaPath) => path.length + (sampleValueAt(content, path) === undefined ? 100 : 0)
  return paths.filter((path) => !isReference(path)).sort((a, b) => rank(a) - rank(b))
}

/** The paths of all scalar fields of a schema, up to a depth. */
function scalarPaths(schema: OpenApiSchema, path: SchemaPath, depth: number): SchemaPath[] {
  if (scalarTypes.has(schema.type ?? '')) return [path]
  if (depth === 0) return []
  const { properties = {}, items } = schema
  const members = Object.entries(items ? { '*': items } : properties)
  return members.flatMap(([name, field]) => scalarPaths(field, [...path, name], depth - 1))
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean'])

/** The merge patch between two values, if nothing is removed. Lists are replaced as a whole. */
function mergePatch(from: unknown, to: unknown): unknown {
  if (!isJsonObject(from) || !isJsonObject(to)) return to
  const before = Object(from)
  const changed = pickBy(Object(to), (value, name) => !isEqual(before[name], value))
  return mapValues(changed, (value, name) => mergePatch(before[name], value))
}
