import type { Resource } from '../kube/resource.js'
import type { KindRules } from './kinds/kind-rules.js'
import type { Subresource } from './resources/built-in.js'

/** A column that a CustomResourceDefinition asks for in tables. */
export interface CustomColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly priority?: number
  /** A simple JSON path, for example `.spec.replicas`. */
  readonly jsonPath: string
}

/** What only resources of a CustomResourceDefinition have. */
export interface CustomResource {
  readonly columns: readonly CustomColumn[]
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
