import { canonicalJson } from '../../engine/kube/canonical-json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/**
 * A kind of which objects were applied for a primary, as its annotation names it: `Deployment.apps`, or with a cluster
 * and a location, `host/Certificate.cert-manager.io@team`, for objects that have owner labels in place of a reference.
 * The location is the namespace of the objects, or the name of a cluster-scoped object; without it the note is for
 * every location.
 */
export type NotedKind = string

/** The number of notes of a field manager; users can write more, and no controller needs as many. */
export const maxNotes = 1000

/** The location of objects that have owner labels. */
export interface LabelledLocation {
  readonly cluster: string
  readonly location?: string
}

/** The annotation of a primary that names, for each field manager, the kinds of the objects that it applied for it. */
export function ownedKindsAnnotation({ group }: Pick<Resource, 'group'>): string {
  return `${group || 'core'}/owned-kinds`
}

/** The note of a kind; `labelled` is the location of objects with owner labels. */
export function notedKind(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  labelled?: LabelledLocation,
): NotedKind {
  const kindText = `${kind}${group && `.${group}`}`
  if (!labelled) return kindText
  const { cluster, location } = labelled
  return `${cluster}/${kindText}${location === undefined ? '' : `@${location}`}`
}

/** The parts of a {@link NotedKind}. */
export interface NoteParts extends Pick<Resource, 'group' | 'kind'> {
  /** Undefined for objects with an owner reference, which are in the cluster of the primary. */
  readonly cluster: string | undefined
  /** Undefined for every location. */
  readonly location: string | undefined
}

/** Reads what {@link notedKind} wrote. */
export function parseNote(note: NotedKind): NoteParts {
  const slash = note.indexOf('/')
  const atSign = note.indexOf('@', slash)
  const [kind = '', ...group] = note.slice(slash + 1, atSign < 0 ? undefined : atSign).split('.')
  const cluster = slash < 0 ? undefined : note.slice(0, slash)
  return { cluster, group: group.join('.'), kind, location: atSign < 0 ? undefined : note.slice(atSign + 1) }
}

/** The kinds that the annotation of a primary names for the field managers, sorted. */
export function notedKinds(
  primary: KubeObject,
  resource: Pick<Resource, 'group'>,
  managers: readonly string[],
): readonly NotedKind[] {
  const notes = readAnnotation(primary, resource)
  return [...new Set(managers.flatMap((manager) => notes[manager] ?? []))].sort()
}

/**
 * The value of the annotation in which the first of the field managers has the given kinds and the others, its former
 * names, have none; null if nothing is left of it. The same kinds make the same text.
 */
export function annotationWith(
  primary: KubeObject,
  resource: Pick<Resource, 'group'>,
  { managers, kinds }: { managers: readonly string[]; kinds: readonly NotedKind[] },
): string | null {
  const [manager = '', ...former] = managers
  const others = Object.entries(readAnnotation(primary, resource)).filter(([name]) => !former.includes(name))
  const all = { ...Object.fromEntries(others), [manager]: [...new Set(kinds)].sort() }
  const left = Object.entries(all).filter(([, noted]) => noted.length > 0)
  return left.length > 0 ? canonicalJson(Object.fromEntries(left)) : null
}

/** The notes of an annotation, by field manager. */
type Notes = Readonly<Record<string, readonly NotedKind[]>>

/** The last text of each object, because each apply reads it. */
const lastRead = new WeakMap<KubeObject, { text: string; notes: Notes }>()

/** Reads the annotation of an object once for each text. */
function readAnnotation(primary: KubeObject, resource: Pick<Resource, 'group'>): Notes {
  const text = primary.metadata.annotations?.[ownedKindsAnnotation(resource)] ?? ''
  const known = lastRead.get(primary)
  if (known?.text === text) return known.notes
  const notes = notesOf(text)
  lastRead.set(primary, { text, notes })
  return notes
}

/** People can edit annotations: what is not a list of texts, and a list that no controller writes, count as absent. */
function notesOf(text: string): Notes {
  const noted = text === '' ? [] : Object.entries(parseAnnotation(text) ?? {})
  return Object.fromEntries(noted.filter(([, kinds]) => isTexts(kinds))) as Notes
}

function parseAnnotation(text: string): object | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length <= maxNotes && value.every((one) => typeof one === 'string')
}
