/**
 * A sample of a custom kind: the least that its schema asks for, then tried on an API server, mended where that refuses it,
 * and enriched with references and a Pod's specification where the kind has such.
 *
 * What rules in CEL ask for cannot be read from a schema. So members and values near the field that the server names are
 * tried, and what leaves fewer problems is kept. The number of tries is bounded.
 */
import { contentSchemas } from './content-schemas.js'
import { valueAt, withoutValueAt, withValueAt } from './edit-sample.js'
import type { JsonSchema } from './json-schema.js'
import { type SampleSearch, withChange } from './sample-change.js'
import { sampleOfSchema } from './sample-of-schema.js'
import type { SampleProblem, SampleTrial } from './sample-trial.js'
import { readFieldPath, type SchemaPath, schemaAt, schemasBelow } from './schema-path.js'
import type { FoundReference } from './schema-references.js'
import { textsOf } from './text-of-schema.js'

/** What was found. */
export interface DerivedSample {
  content: object
  /** What may be changed in it, as a merge patch. */
  change?: object
  /** What the server makes of both, with its defaults; nothing where it refuses them. */
  stored?: { content: object; changed: object }
  /** What the server still says against it; none for a good one. */
  problems: readonly SampleProblem[]
}

/** How many candidates the server is asked about,, to mend a sample. */
const mostTries = 300
/** The same, to mend one that was given a reference. */
const mostReferenceTries = 40
/** How many references a sample shows. */
const mostReferences = 2

/** Finds a sample. References that are refused are left out of it. */
export async function deriveSample(
  schema: JsonSchema,
  references: readonly FoundReference[],
  trial: SampleTrial,
): Promise<DerivedSample> {
  const { content, problems } = await mended(leastOf(schema), { schema, trial, mostTries })
  if (problems.length > 0) return { content, problems }
  const enriched = await withReferences(content, { schema, references, trial })
  const found = await withChange(enriched, { schema, references, trial })
  const stored = await storedContents(found, { schema, trial })
  return { ...found, ...(stored && { stored }), problems: [] }
}

async function storedContents(
  { content, change }: Pick<DerivedSample, 'content' | 'change'>,
  { schema, trial }: Pick<SampleSearch, 'schema' | 'trial'>,
): Promise<DerivedSample['stored']> {
  const names = contentSchemas(schema).map(([name]) => name)
  const contentIn = (object: object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
  const [before, after] = [await trial.tries(content), await trial.tries(content, change)]
  if (before.problems || after.problems) return undefined
  return { content: contentIn(before.stored), changed: contentIn(after.stored) }
}

/** Required fields; and `spec`, which a kind is hardly without. */
function leastOf(schema: JsonSchema): object {
  const { required = [] } = schema
  const fields = contentSchemas(schema).filter(([name]) => name === 'spec' || required.includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOfSchema(field, 1)]))
}

interface Mending {
  schema: JsonSchema
  trial: SampleTrial
  mostTries: number
}

async function mended(start: object, { schema, trial, mostTries }: Mending) {
  let content = start
  let problems = (await trial.tries(content)).problems ?? []
  let tries = 0
  while (problems.length > 0 && tries < mostTries) {
    const better = await firstBetter(candidatesFor(content, { schema, problems }), problems.length)
    if (!better) break
    ;({ content, problems } = better)
  }
  return { content, problems }

  async function firstBetter(candidates: Iterable<object>, than: number) {
    for (const candidate of candidates) {
      if (++tries > mostTries) return undefined
      const found = (await trial.tries(candidate)).problems ?? []
      if (found.length < than) return { content: candidate, problems: found }
    }
    return undefined
  }
}

/**
 * Contents that may have fewer problems, the smallest change first: members below the field that is named set, the field
 * itself, its neighbours; and last of all something left out.
 */
function* candidatesFor(
  content: object,
  { schema, problems }: { schema: JsonSchema; problems: readonly SampleProblem[] },
): Iterable<object> {
  const paths = problems.map(({ field }) => readFieldPath(field))
  // What has a default is mostly right as it is.
  const membersOf = (path: SchemaPath) =>
    schemasBelow(schemaAt(schema, path) ?? {})
      .sort(([, a], [, b]) => Number(a.default !== undefined) - Number(b.default !== undefined))
      .map(([name]) => [...path, name])
  const near = (path: SchemaPath) => [...membersOf(path), path, ...membersOf(path.slice(0, -1))]
  for (const path of paths.flatMap(near)) yield* otherValues(content, { schema, path, values: [0, 1] })
  for (const path of paths.flatMap(near)) yield* otherValues(content, { schema, path, values: [1] })
  for (const path of paths.flatMap(near)) {
    if (path.length > 1 && valueAt(content, path) !== undefined) yield withoutValueAt(content, path) as object
  }
}

function* otherValues(
  content: object,
  { schema, path, values }: { schema: JsonSchema; path: SchemaPath; values: [number, number?] },
): Iterable<object> {
  const at = schemaAt(schema, path)
  if (!at || path.length === 0) return
  for (const value of valuesOf(at).slice(...values)) {
    const edited =
      value === valueAt(content, path) ? undefined : withValueAt(content, { schema, path, value })
    if (edited !== undefined) yield edited as object
  }
}

/** The values that a schema may have, the likeliest first. */
function valuesOf(schema: JsonSchema): unknown[] {
  if (schema.enum) return [...schema.enum]
  if (schema.type === 'string') return [...textsOf(schema, 1), ...textsOf(schema, 2)]
  const values = [sampleOfSchema(schema, 1), sampleOfSchema(schema, 2)]
  return schema.type === 'array' && schema.items ? [[sampleOfSchema(schema.items, 1)], ...values] : values
}

/** The content with references that a copy says otherwise, if the server takes them, so that the test shows them. */
async function withReferences(content: object, { schema, references, trial }: SampleSearch): Promise<object> {
  const shown = references.filter(({ members, resource }) => members || resource)
  const isThere = ({ segments }: FoundReference) => valueAt(result, segments) !== undefined
  let result = content
  for (const reference of shown.sort((a, b) => a.segments.length - b.segments.length)) {
    if (shown.filter(isThere).length >= mostReferences) break
    if (isThere(reference)) continue
    const candidate = withReference(result, { schema, reference })
    if (!candidate) continue
    const search = { schema, trial, mostTries: mostReferenceTries }
    const { content: mendedContent, problems } = await mended(candidate, search)
    const isKept = valueAt(mendedContent, reference.segments) !== undefined
    if (problems.length === 0 && isKept) result = mendedContent
  }
  return result
}

function withReference(
  content: object,
  { schema, reference }: { schema: JsonSchema; reference: FoundReference },
): object | undefined {
  const { segments: path, members } = reference
  const edited = members ? withPod(content, { schema, path }) : withValueAt(content, { schema, path })
  return edited as object | undefined
}

const container = { name: 'web', image: 'nginx' }

function withPod(content: object, { schema, path }: { schema: JsonSchema; path: SchemaPath }): unknown {
  return withValueAt(content, { schema, path: [...path, 'containers'], value: [container] })
}
