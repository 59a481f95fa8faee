import { contentSchemas } from '../schema/content-schemas.js'
import type { OpenApiSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import { readFieldPath, type SchemaPath, schemaAtPath, schemasBelow } from '../schema/schema-path.js'
import { textsOf } from '../schema/text-of-schema.js'
import { sampleValueAt, withoutValueAt, withValueAt } from './edit-sample.js'
import type { SampleProblem } from './sample-trial.js'

/**
 * Contents that may have fewer problems, the smallest change first: other values for members of the named field, for
 * the field itself and for its neighbours, and finally contents without one of these.
 */
export function* sampleCandidates(
  content: object,
  { schema, problems }: { schema: OpenApiSchema; problems: readonly SampleProblem[] },
): Iterable<object> {
  const paths = problems.map(({ field }) => readFieldPath(field))
  const pathsNearProblems = paths.flatMap((path) => [
    ...membersOf(schema, path),
    path,
    ...membersOf(schema, path.slice(0, -1)),
  ])
  // First the most likely value of every field, then the other values.
  for (const path of pathsNearProblems) yield* otherValues(content, { schema, path, range: [0, 1] })
  for (const path of pathsNearProblems) yield* otherValues(content, { schema, path, range: [1] })
  for (const path of pathsNearProblems) {
    if (path.length > 1 && sampleValueAt(content, path) !== undefined)
      yield withoutValueAt(content, path) as object
  }
}

/** The paths of members; those with a default come last, because the default is usually valid. */
function membersOf(schema: OpenApiSchema, path: SchemaPath): SchemaPath[] {
  const below = path.length === 0 ? contentSchemas(schema) : schemasBelow(schemaAtPath(schema, path) ?? {})
  const hasDefault = ([, field]: [string, OpenApiSchema]) => Number(field.default !== undefined)
  return below.sort((a, b) => hasDefault(a) - hasDefault(b)).map(([name]) => [...path, name])
}

/** Contents with other values at a path. `range` has the arguments of `slice` that select the values to try. */
function* otherValues(
  content: object,
  { schema, path, range }: { schema: OpenApiSchema; path: SchemaPath; range: [number, number?] },
): Iterable<object> {
  const fieldSchema = schemaAtPath(schema, path)
  if (!fieldSchema || path.length === 0) return
  for (const value of valuesOf(fieldSchema).slice(...range)) {
    const edited =
      value === sampleValueAt(content, path) ? undefined : withValueAt(content, { schema, path, value })
    if (edited !== undefined) yield edited as object
  }
}

/** Possible values of a schema, the most likely first. */
function valuesOf(schema: OpenApiSchema): unknown[] {
  if (schema.enum) return [...schema.enum]
  if (schema.type === 'string') return [...textsOf(schema, 1), ...textsOf(schema, 2)]
  const values = [sampleOfSchema(schema, 1), sampleOfSchema(schema, 2)]
  return schema.type === 'array' && schema.items ? [[sampleOfSchema(schema.items, 1)], ...values] : values
}
