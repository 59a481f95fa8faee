import type { KubeObject } from '../../sdk/kube/object.js'
import { apiVersionOf, type Resource } from '../../sdk/kube/resource.js'
import type { OpenObject } from '../base/object.js'
import type { Schema } from '../schema/structural-schema.js'
import { Entry } from '../store/entry.js'
import type { Subresource } from './built-in.js'
import type { KindRules } from './kind-rules.js'

/** A column that a CustomResourceDefinition asks for in tables. */
export interface CustomColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly priority?: number
  readonly description?: string
  /** A JSON path, for example `.spec.replicas`. */
  readonly jsonPath: string
}

/** Where a custom resource keeps what `/scale` shows; `spec.versions[*].subresources.scale`. */
export interface ScalePaths {
  /** For example `.spec.replicas`. */
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  /** The selector as text. */
  readonly labelSelectorPath?: string
}

/** What only resources of a CustomResourceDefinition have. */
export interface CustomResource {
  readonly columns: readonly CustomColumn[]
  /** The structural schema of this version. */
  readonly schema: Schema
  /** Where `/scale` finds its numbers. */
  readonly scale: ScalePaths | undefined
  /** Whether its definition is being deleted. */
  readonly isTerminating: boolean
  /** Ends watches when the definition comes to say something else. */
  readonly retired: AbortSignal
  /** A stored object as it is read in this version. */
  shown(entry: Entry): Entry
}

/** What a version of a built-in resource makes of objects that are stored in another form. */
export interface Conversion {
  toServed(stored: OpenObject): OpenObject
  toStored(served: OpenObject): OpenObject
}

/** One version of one resource as this server serves it. */
export interface ServedResource extends Resource {
  readonly singular: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  /** Names the collection its objects are kept in; all versions of a resource share it. */
  readonly storage: string
  readonly rules: KindRules
  /** Set where its objects are stored in the form of another version; rules and selectors are about that form. */
  readonly conversion?: Conversion
  /** Set for resources of a CustomResourceDefinition. */
  readonly custom?: CustomResource
}

/** Whether the resource has `/status`, which keeps `status` out of ordinary writes. */
export function hasStatus(resource: ServedResource): boolean {
  return resource.subresources.some(({ name }) => name === 'status')
}

/** What of the metadata a write to the status does not change. */
export function statusKeeps({ custom, rules }: ServedResource): NonNullable<KindRules['statusKeeps']> {
  return custom === undefined ? (rules.statusKeeps ?? []) : 'metadata'
}

/** What a refusal calls the objects of a resource. */
export function objectKind({ group, kind, rules }: ServedResource): { group: string; kind: string } {
  return { group: rules.errorGroup ?? group, kind }
}

/** A stored object as it is read in the version of the resource. */
export function servedEntry(entry: Entry, { custom, conversion }: ServedResource): Entry {
  if (conversion !== undefined) return convertedEntry(entry, conversion)
  return custom === undefined ? entry : custom.shown(entry)
}

const converted = new WeakMap<Conversion, WeakMap<Entry, Entry>>()

/** The same entry each time, so that what was written of it is written once. */
function convertedEntry(entry: Entry, conversion: Conversion): Entry {
  const known = converted.get(conversion) ?? new WeakMap<Entry, Entry>()
  converted.set(conversion, known)
  const view =
    known.get(entry) ?? new Entry(entry.key, conversion.toServed(entry.object as OpenObject), entry.revision)
  known.set(entry, view)
  return view
}

/** An object in the form of the resource's version; the argument itself where it is stored in that form. */
export function servedForm(stored: OpenObject, { conversion }: ServedResource): OpenObject {
  return conversion === undefined ? stored : conversion.toServed(stored)
}

/** An object in the form it is stored in; the argument itself where that is the one of its version. */
export function storedForm(served: OpenObject, { conversion }: ServedResource): OpenObject {
  return conversion === undefined ? served : conversion.toStored(served)
}

/** Changes that discovery does not speak of while a definition is being deleted. */
const CHANGES = ['patch', 'create', 'update']

/** The verbs that discovery tells of. */
export function toldVerbs({ verbs, custom }: ServedResource): readonly string[] {
  return custom?.isTerminating === true ? verbs.filter((verb) => !CHANGES.includes(verb)) : verbs
}

/** The object as it is told to clients, with the kind and version it was asked for in. */
export function withKind(
  object: KubeObject,
  resource: Pick<ServedResource, 'kind' | 'group' | 'version'>,
): KubeObject {
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), ...object }
}
