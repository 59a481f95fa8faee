import { freezeJson, parseJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { systemClock } from '../../engine/time/clock.js'
import { TimeSlice } from '../../engine/time/time-slice.js'
import type { JsonObject } from '../chart/json-object.js'
import { isCrdsFile } from './crds-files.js'
import { LeastRecent } from './least-recent.js'
import { RenderError } from './render-error.js'
import type { RenderedObject } from './renderer.js'

/** A document of a manifest, before it is read. */
export interface ManifestDocument {
  /** The file of the document, by the comment `# Source:`; `''` if neither this document nor one before it has one. */
  readonly source: string
  readonly text: string
}

/**
 * The documents of a text of YAML documents, empty ones left out. Helm separates them by lines that begin with `---`,
 * also inside of a block of text, so no document contains such a line. A document without a source has the one before
 * it, which is so in files of several definitions.
 */
export function documentsOf(manifest: string): ManifestDocument[] {
  const documents: ManifestDocument[] = []
  let source = ''
  for (const part of manifest.split(/^---[^\S\n]*/m)) {
    source = /^# Source: (.*)$/m.exec(part)?.[1] ?? source
    if (!isEmptyYaml(part)) documents.push({ source, text: part.trim() })
  }
  return documents
}

const isEmptyYaml = (text: string) => text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line))

/**
 * The limit of the objects of a release, and of its hooks. Without it, users who write Secrets could use up the memory
 * of the program with a record of very many small objects.
 */
export const maxObjects = 5_000

/** A cache of parsed manifests by their text, limited in characters: each run reads the same records. */
const parsedManifests = new LeastRecent<readonly RenderedObject[]>(2 ** 23)

/** Caches the objects of a manifest, frozen, so that the manifest need not be parsed. */
export function rememberObjects(manifest: string, objects: readonly RenderedObject[]): void {
  parsedManifests.set(manifest, freezeJson(objects), manifest.length)
}

/**
 * The objects of a manifest, frozen, the members of lists one by one. Rejects with `RenderError` if a document is not
 * YAML, or not an object of Kubernetes, and if there are more than {@link maxObjects}.
 */
export async function objectsOf(manifest: string): Promise<RenderedObject[]> {
  const objects = parsedManifests.get(manifest) ?? (await readAll(manifest))
  rememberObjects(manifest, objects)
  return [...objects]
}

async function readAll(manifest: string): Promise<RenderedObject[]> {
  const read: RenderedObject[] = []
  const slice = new TimeSlice(systemClock)
  for (const document of documentsOf(manifest)) {
    if (slice.isOver) await slice.pause()
    for (const object of await objectsIn(document)) read.push(object)
    if (read.length > maxObjects)
      throw new RenderError('RenderError', `${document.source} renders to more than ${maxObjects} objects`)
  }
  return read
}

/**
 * The longest document that is parsed, in characters. No API server accepts larger objects, and parsing blocks the
 * event loop.
 */
const maxDocumentLength = 2 ** 22

/** The objects of one document. */
export async function objectsIn({ source, text }: ManifestDocument): Promise<RenderedObject[]> {
  checkLength(source, text.length)
  const { yamlToJson } = await import('../../engine/kube/go-yaml/yaml-to-json.js')
  return objectsOfJson(
    source,
    // A block of text at the end keeps its line break, which `documentsOf` removes, as for Helm.
    parseDocument(source, () => parseJson(yamlToJson(`${text}\n`).json)),
  )
}

/** Throws `RenderError` for a document that is too long to be read. */
export function checkLength(source: string, length: number): void {
  if (length <= maxDocumentLength) return
  const message = `${source} renders to an object of more than ${maxDocumentLength} characters`
  throw new RenderError('RenderError', message)
}

/** The objects of one document that was converted to JSON. Throws as {@link objectsOf} rejects. */
export function objectsOfJson(source: string, value: unknown): RenderedObject[] {
  if (value === null) return []
  return membersOf(value).map((object) => ({ source, object: checkObject(source, object) }))
}

function parseDocument(source: string, parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new RenderError('RenderError', `${source} does not render to YAML: ${error.message}`, {
      cause: error,
    })
  }
}

function membersOf(value: unknown): unknown[] {
  // Like kubectl and Helm, any object with `items` counts as a list, whatever its kind.
  return isJsonObject(value) && Array.isArray(value.items) ? value.items : [value]
}

const crdsCure =
  'correct this file of the chart, or install the definitions yourself and set the option crds to "skip"'

function checkObject(source: string, value: unknown): KubeObject {
  const { apiVersion, kind, metadata } = isJsonObject(value) ? value : ({} as JsonObject)
  const name = isJsonObject(metadata) ? metadata.name : undefined
  const missing = Object.entries({ apiVersion, kind, 'metadata.name': name })
    .filter(([, field]) => typeof field !== 'string' || field === '')
    .map(([field]) => field)
  if (missing.length === 0) return value as KubeObject
  const description = `an object${typeof kind === 'string' ? ` of kind ${kind}` : ''} without ${missing.join(', ')}`
  const problem = isCrdsFile(source) ? `contains ${description}; ${crdsCure}` : `renders to ${description}`
  throw new RenderError('RenderError', `${source} ${problem}`)
}
