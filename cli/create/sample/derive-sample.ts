/**
 * A sample of a custom kind: the least that its schema asks for, then tried on an API server, mended where that refuses it,
 * and enriched with references and a Pod's specification where the kind has such.
 *
 * What rules in CEL ask for cannot be read from a schema. So members and values near the field that the server names are
 * tried, and what leaves fewer problems is kept. The number of tries is bounded.
 */
import { contentSchemas } from '../schema/content-schemas.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import type { SchemaPath } from '../schema/schema-path.js'
import type { FoundReference } from '../schema/schema-references.js'
import { valueAt, withValueAt } from './edit-sample.js'
import { sampleCandidates } from './sample-candidates.js'
import { type SampleSearch, withChange } from './sample-change.js'
import type { SampleProblem, SampleTrial } from './sample-trial.js'

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

/** How many candidates the server is asked about, to mend a sample. */
const maxTries = 300
/** The same, to mend one that was given a reference. */
const maxReferenceTries = 40
/** How many references a sample shows. */
const maxReferences = 2

/** Finds a sample. References that are refused are left out of it. */
export async function deriveSample(
  schema: JsonSchema,
  references: readonly FoundReference[],
  trial: SampleTrial,
): Promise<DerivedSample> {
  const { content, problems } = await mended(minimalContent(schema), { schema, trial, maxTries })
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
function minimalContent(schema: JsonSchema): object {
  const { required = [] } = schema
  const fields = contentSchemas(schema).filter(([name]) => name === 'spec' || required.includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOfSchema(field, 1)]))
}

interface Mending {
  schema: JsonSchema
  trial: SampleTrial
  maxTries: number
}

type Tried = Pick<DerivedSample, 'content' | 'problems'>

async function tried(content: object, trial: SampleTrial): Promise<Tried> {
  const { problems = [] } = await trial.tries(content)
  return { content, problems }
}

/** The content with what leaves the fewest problems. */
async function mended(start: object, { schema, trial, maxTries }: Mending): Promise<Tried> {
  let best = await tried(start, trial)
  for (let left = maxTries; best.problems.length > 0 && left > 0; ) {
    const { found, tries } = await firstBetter(best, { schema, trial, maxTries: left })
    if (!found) break
    best = found
    left -= tries
  }
  return best
}

async function firstBetter(
  than: Tried,
  { schema, trial, maxTries }: Mending,
): Promise<{ found?: Tried; tries: number }> {
  let tries = 0
  for (const candidate of sampleCandidates(than.content, { schema, problems: than.problems })) {
    if (tries++ === maxTries) break
    const found = await tried(candidate, trial)
    if (found.problems.length < than.problems.length) return { found, tries }
  }
  return { tries }
}

/** The content with references that a copy says otherwise, if the server takes them, so that the test shows them. */
async function withReferences(content: object, { schema, references, trial }: SampleSearch): Promise<object> {
  const shown = references.filter(({ members, resource }) => members || resource)
  const isThere = ({ segments }: FoundReference) => valueAt(result, segments) !== undefined
  let result = content
  for (const reference of shown.sort((a, b) => a.segments.length - b.segments.length)) {
    if (shown.filter(isThere).length >= maxReferences) break
    if (isThere(reference)) continue
    const candidate = withReference(result, { schema, reference })
    if (!candidate) continue
    const search = { schema, trial, maxTries: maxReferenceTries }
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
