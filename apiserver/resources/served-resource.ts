import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../sdk/engine/kube/resource.js'
import type { OpenObject } from '../base/object.js'
import type { Schema } from '../schema/structural-schema.js'
import { Entry } from '../store/entry.js'
import type { Subresource } from './built-in.js'
import type { Converter } from './converter.js'
import type { KindRules, StatusRules } from './kind-rules.js'

/** A column that a CustomResourceDefinition adds to tables. */
export interface CustomColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly priority?: number
  readonly description?: string
  /** A JSON path, for example `.spec.replicas`. */
  readonly jsonPath: string
}

/** The paths of the fields that `/scale` shows; `spec.versions[*].subresources.scale`. */
export interface ScalePaths {
  /** For example `.spec.replicas`. */
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  /** The selector as text. */
  readonly labelSelectorPath?: string
}

/** The additional properties of a custom resource. */
export interface CustomResource {
  readonly columns: readonly CustomColumn[]
  /** The structural schema of this version. */
  readonly schema: Schema
  /** The fields of `/scale`, if it is served. */
  readonly scale: ScalePaths | undefined
  /** Whether the definition of the resource is being deleted. */
  readonly isTerminating: boolean
  /** Aborts when the definition changes, which ends watches. */
  readonly retired: AbortSignal
  /** Converts a stored object to this version. */
  toServedEntry(entry: Entry): Entry
  /** Set if a webhook converts between the versions. */
  readonly converter?: Converter
  /** Whether objects are written in this version. */
  readonly isStorage: boolean
  /** Whether the object with a key is stored in a version that is no longer the storage version. */
  isStale(key: string): boolean
}

/** Converts between the version of a built-in resource and the version that its objects are stored in. */
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
  /** The name of the collection of its objects; all versions of a resource share it. */
  readonly storage: string
  readonly rules: KindRules
  /** Set if its objects are stored in another version; rules and selectors use that version. */
  readonly conversion?: Conversion
  /** Set for resources of a CustomResourceDefinition. */
  readonly custom?: CustomResource
}

/** Whether the resource has `/status`; other writes then leave `status` unchanged. */
export function hasStatus(resource: ServedResource): boolean {
  return resource.subresources.some(({ name }) => name === 'status')
}

/** The metadata that a write to the status does not change. */
export function keptStatusMetadata({
  custom,
  rules,
}: ServedResource): NonNullable<StatusRules['keptMetadata']> {
  return custom === undefined ? (rules.status?.keptMetadata ?? []) : 'metadata'
}

/** The group and kind that an error names for objects of a resource. */
export function objectKind({ group, kind, rules }: ServedResource): { group: string; kind: string } {
  return { group: rules.errorGroup ?? group, kind }
}

/** A stored object in the version of the resource. */
export function servedEntry(entry: Entry, { custom, conversion }: ServedResource): Entry {
  if (conversion !== undefined) return convertedEntry(entry, conversion)
  return custom === undefined ? entry : custom.toServedEntry(entry)
}

const converted = new WeakMap<Conversion, WeakMap<Entry, Entry>>()

/** Returns the same entry each time, so that its text is written only once. */
function convertedEntry(entry: Entry, conversion: Conversion): Entry {
  const existing = converted.get(conversion) ?? new WeakMap<Entry, Entry>()
  converted.set(conversion, existing)
  const view =
    existing.get(entry) ??
    new Entry(entry.key, conversion.toServed(entry.object as OpenObject), entry.revision)
  existing.set(entry, view)
  return view
}

/** An object in the resource's version; the argument itself if it is stored in that version. */
export function servedForm(stored: OpenObject, { conversion }: ServedResource): OpenObject {
  return conversion === undefined ? stored : conversion.toServed(stored)
}

/** An object in the version it is stored in; the argument itself if that is the resource's version. */
export function storedForm(served: OpenObject, { conversion }: ServedResource): OpenObject {
  return conversion === undefined ? served : conversion.toStored(served)
}

/** Verbs that discovery does not list while a definition is being deleted. */
const changes = ['patch', 'create', 'update']

/** The verbs that discovery lists. */
export function discoveryVerbs({ verbs, custom }: ServedResource): readonly string[] {
  return custom?.isTerminating === true ? verbs.filter((verb) => !changes.includes(verb)) : verbs
}

/** The object for clients, with the kind and version of the request. */
export function withKind(
  object: KubeObject,
  resource: Pick<ServedResource, 'kind' | 'group' | 'version'>,
): KubeObject {
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), ...object }
}
