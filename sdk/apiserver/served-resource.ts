import type { Resource } from '../kube/resource.js'
import type { ScalePaths } from './custom/scale-paths.js'
import type { Schema } from './custom/schema.js'
import type { KindRules } from './kinds/kind-rules.js'
import type { Subresource } from './resources/built-in.js'
import type { Entry } from './store/entry.js'

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
  /** Set for resources of a CustomResourceDefinition. */
  readonly custom?: CustomResource
}

/** Whether the resource has `/status`, which keeps `status` out of ordinary writes. */
export function hasStatus(resource: ServedResource): boolean {
  return resource.subresources.some(({ name }) => name === 'status')
}

/** A stored object as it is read in the version of the resource. */
export function servedEntry(entry: Entry, { custom }: ServedResource): Entry {
  return custom === undefined ? entry : custom.shown(entry)
}

/** Changes that discovery does not speak of while a definition is being deleted. */
const CHANGES = ['patch', 'create', 'update']

/** The verbs that discovery tells of. */
export function toldVerbs({ verbs, custom }: ServedResource): readonly string[] {
  return custom?.isTerminating === true ? verbs.filter((verb) => !CHANGES.includes(verb)) : verbs
}
