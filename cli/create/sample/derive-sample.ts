/**
 * Derives a sample of a custom kind. It starts with the minimal content of the schema, tries it on an API server,
 * repairs it, and adds references and a Pod specification if the kind has them.
 *
 * The requirements of CEL rules are not in the schema. So the repair tries members and values near the field that the
 * server names and keeps those that leave fewer problems. The number of tries is limited.
 */
import pick from 'lodash/pick.js'
import { contentSchemas } from '../schema/content-schemas.js'
import type { OpenApiSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import type { SchemaPath } from '../schema/schema-path.js'
import type { FoundReference } from '../schema/schema-references.js'
import { sampleValueAt, withValueAt } from './edit-sample.js'
import { sampleCandidates } from './sample-candidates.js'
import { type SampleSearch, withChange } from './sample-change.js'
import type { SampleProblem, SampleTrial } from './sample-trial.js'

/** A sample with its problems. */
export interface DerivedSample {
  content: object
  /** A valid change of the content, as a merge patch. */
  change?: object
  /** The stored content before and after the change, with defaults; undefined if the server rejects it. */
  stored?: { content: object; changed: object }
  /** The remaining problems; none for a valid sample. */
  problems: readonly SampleProblem[]
}

/** Maximum number of tries to repair a sample. */
const maxTries = 300
/** Maximum number of tries to repair a sample after adding a reference. */
const maxReferenceTries = 40
/** Maximum number of references in a sample. */
const maxReferences = 2

/** Derives a sample; it has no references that the server rejects. */
export async function deriveSample(
  schema: OpenApiSchema,
  references: readonly FoundReference[],
  trial: SampleTrial,
): Promise<DerivedSample> {
  const { content, problems } = await repair(minimalContent(schema), { schema, trial, maxTries })
  if (problems.length > 0) return { content, problems }
  const enriched = await withReferences(content, { schema, references, trial })
  const candidate = await withChange(enriched, { schema, references, trial })
  const stored = await storedContents(candidate, { schema, trial })
  return { ...candidate, ...(stored && { stored }), problems: [] }
}

/** The content as the server stores it, before and after the change; undefined if the server rejects it. */
async function storedContents(
  { content, change }: Pick<DerivedSample, 'content' | 'change'>,
  { schema, trial }: Pick<SampleSearch, 'schema' | 'trial'>,
): Promise<DerivedSample['stored']> {
  const names = contentSchemas(schema).map(([name]) => name)
  const contentIn = (object: object) => pick(object, names)
  const [before, after] = [await trial.tryObject(content), await trial.tryObject(content, change)]
  if (before.problems || after.problems) return undefined
  return { content: contentIn(before.stored), changed: contentIn(after.stored) }
}

/** The required fields, and `spec`, which nearly all kinds have. */
function minimalContent(schema: OpenApiSchema): object {
  const { required = [] } = schema
  const fields = contentSchemas(schema).filter(([name]) => name === 'spec' || required.includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOfSchema(field, 1)]))
}

interface RepairOptions {
  schema: OpenApiSchema
  trial: SampleTrial
  maxTries: number
}

/** A content, and the problems that the server found in it. */
type TriedContent = Pick<DerivedSample, 'content' | 'problems'>

/** Tries a content on the server, and returns it with its problems. */
async function tryContent(content: object, trial: SampleTrial): Promise<TriedContent> {
  const { problems = [] } = await trial.tryObject(content)
  return { content, problems }
}

/** Changes a content step by step until it has no problems or the tries are used up. Returns the best content. */
async function repair(content: object, { schema, trial, maxTries }: RepairOptions): Promise<TriedContent> {
  let best = await tryContent(content, trial)
  for (let triesLeft = maxTries; best.problems.length > 0 && triesLeft > 0; ) {
    const { better, tries } = await findBetter(best, { schema, trial, maxTries: triesLeft })
    if (!better) break
    best = better
    triesLeft -= tries
  }
  return best
}

/** Tries changes of a content until one has fewer problems. `tries` is the number of tried ones. */
async function findBetter(
  current: TriedContent,
  { schema, trial, maxTries }: RepairOptions,
): Promise<{ better?: TriedContent; tries: number }> {
  let tries = 0
  for (const candidate of sampleCandidates(current.content, { schema, problems: current.problems })) {
    if (tries++ === maxTries) break
    const result = await tryContent(candidate, trial)
    if (result.problems.length < current.problems.length) return { better: result, tries }
  }
  return { tries }
}

/** Adds references that a copy translates, if the server accepts them, so that the generated test covers them. */
async function withReferences(content: object, { schema, references, trial }: SampleSearch): Promise<object> {
  const translatedReferences = references.filter(({ members, resource }) => members || resource)
  const isInSample = ({ segments }: FoundReference) => sampleValueAt(result, segments) !== undefined
  let result = content
  for (const reference of translatedReferences.sort((a, b) => a.segments.length - b.segments.length)) {
    if (translatedReferences.filter(isInSample).length >= maxReferences) break
    if (isInSample(reference)) continue
    const candidate = withReference(result, { schema, reference })
    if (!candidate) continue
    const search = { schema, trial, maxTries: maxReferenceTries }
    const { content: repairedContent, problems } = await repair(candidate, search)
    const isReferenceKept = sampleValueAt(repairedContent, reference.segments) !== undefined
    if (problems.length === 0 && isReferenceKept) result = repairedContent
  }
  return result
}

/** A content with a reference, or with a Pod specification if the reference is that of Pods. */
function withReference(
  content: object,
  { schema, reference }: { schema: OpenApiSchema; reference: FoundReference },
): object | undefined {
  const { segments: path, members } = reference
  const edited = members ? withPod(content, { schema, path }) : withValueAt(content, { schema, path })
  return edited as object | undefined
}

const container = { name: 'web', image: 'nginx' }

/** A content with a Pod specification of one container at a path. */
function withPod(content: object, { schema, path }: { schema: OpenApiSchema; path: SchemaPath }): unknown {
  return withValueAt(content, { schema, path: [...path, 'containers'], value: [container] })
}
