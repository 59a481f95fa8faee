import type { Json, KubeObject, ObjectMeta } from '../../sdk/kube/object.js'
import type { ServerClock } from '../clock.js'
import type { Identity } from '../identity.js'
import type { FieldError } from '../validation/field-error.js'
import type { NameRule } from '../validation/names.js'

/** An object whose fields beside the metadata are looked at as plain JSON. */
export type OpenObject = KubeObject & { metadata: ObjectMeta } & { [field: string]: unknown }

/** What the rules may ask of the server. */
export interface KindServices {
  readonly clock: ServerClock
  readonly identity: Identity
  /** An object of a collection; namespace `''` for one of the cluster. */
  find(storage: string, namespace: string, name: string): OpenObject | undefined
  readonly serviceAddresses: Pool<string>
  readonly nodePorts: Pool<number>
}

/** Numbers or addresses that each have one holder at most. */
export interface Pool<T> {
  /** One that nobody holds, and that is none of `except`. Throws when there is none. */
  allocate(except?: ReadonlySet<T>): T
  /** Why somebody who asks for this one does not get it. */
  problem(asked: T): string | undefined
}

/**
 * What sets one kind apart from others; whatever is left out is the usual. The objects handed in are the
 * server's own copies: `prepare…` may change their top level and `spec`/`status` they replace.
 */
export interface KindRules {
  /** How the object may be named; an RFC 1123 subdomain by default. */
  readonly name?: NameRule
  /**
   * `metadata.generation` counts changes of what the user asked for, of the labels or the annotations as well, or nothing; false
   * by default.
   */
  readonly generation?: boolean | 'with labels' | 'with annotations' | 'constant' | 'from zero'
  /** A PUT of an object that is not there creates it; false by default. */
  readonly createOnUpdate?: boolean
  /** An apply to the status of an object that is not there creates it; false by default. */
  readonly createsByStatus?: boolean
  /** An update must carry a resourceVersion; false by default. */
  readonly versionedUpdate?: boolean
  /** A delete answers with the object instead of a Status; false by default. */
  readonly returnsDeleted?: boolean
  /** The fields a field selector may name beside `metadata.name` and `metadata.namespace`. */
  readonly selectable?: Readonly<Record<string, (object: OpenObject) => string>>
  /** What is said of another field; the usual words by default. */
  refuseField?(field: string): string
  /** A create may bring a status; false by default. */
  readonly createsStatus?: boolean
  /** A delete that does not say otherwise leaves what the object owns; with what the caller is told, if anything. */
  readonly orphans?: { readonly warning?: string }
  /** What of the metadata a write to the status does not change: some of its fields, or all; none by default. */
  readonly statusKeeps?: 'metadata' | readonly (keyof ObjectMeta)[]
  /** The object as tables and bare metadata are made of it; the stored object by default. */
  inViews?(object: OpenObject): OpenObject
  /** Fills in what a write to the status leaves out or may not change. */
  prepareStatus?(object: OpenObject, old: OpenObject, services: KindServices): void
  /**
   * How the kind's own look at an update goes over the metadata, which every update does already: as a `new` object, as a
   * `change` of one, in `both` ways or not at all (`none`); `both` by default.
   */
  readonly metadataOnUpdate?: 'new' | 'change' | 'both' | 'none'
  /** The same for a write to the status, which is looked at as a change or not at all. */
  readonly metadataOnStatus?: KindRules['metadataOnUpdate']
  /** What is wrong with the metadata is told only where nothing else is wrong; false by default. */
  readonly metadataLast?: boolean
  /** The group that a refusal names; the resource's own by default. */
  readonly errorGroup?: string
  /** Whether a delete may ask to keep, or to wait for, what the object owns; true by default. */
  readonly hasDependents?: boolean
  /** Whether a real server answers reads from its watch cache; true by default. */
  readonly isCached?: boolean
  /** An update is looked at as a whole before what it changes is; false by default. */
  readonly checksChangesLast?: boolean
  /** Whether finalizers must be Kubernetes' own or have a prefix; true by default. */
  readonly checksFinalizers?: boolean
  /** Fills in defaults, on create and on update. */
  prepare?(object: OpenObject, services: KindServices): void
  /** Fills in what only the server may set, on create; answers why it cannot. */
  prepareCreate?(object: OpenObject, services: KindServices): readonly FieldError[] | undefined
  /** What a write to a part of the object makes of the spec, by the part's name; left out for those that are not of the spec. */
  readonly parts?: Readonly<
    Record<
      string,
      (asked: Readonly<Record<string, unknown>>, old: Readonly<Record<string, unknown>>) => object
    >
  >
  /** Refuses a write for what other objects say; it is asked last. Throws 403. */
  admitUpdate?(
    change: { next: OpenObject; old: OpenObject; subresource: string },
    services: KindServices,
  ): void
  /** What every caller of the kind is warned of; nothing by default. */
  readonly deprecation?: string
  /** What whoever creates the object is told beside the answer. */
  warnings?(object: OpenObject): string[]
  /** The same for whoever updates it. */
  updateWarnings?(object: OpenObject): string[]
  /** Why no further object of the kind may be created; left out, it may. */
  readonly createRefusal?: string
  /** Carries over what an update cannot change; the status is that of the old object already. Answers why it cannot. */
  prepareUpdate?(
    object: OpenObject,
    old: OpenObject,
    services: KindServices,
  ): readonly FieldError[] | undefined
  /** What an update may not change; told between two looks at the metadata. */
  validateChange?(object: OpenObject, old: OpenObject): FieldError[]
  /** Checks the object, and on an update against its old state; `subresource` is the part that was written. */
  validate?(object: OpenObject, old?: OpenObject, subresource?: string): FieldError[]
  /** A copy that says it is being deleted since `time`, for a kind that goes in its own way; nothing later on. */
  beginDelete?(object: OpenObject, time: string): OpenObject | undefined
  /** Seconds between a delete and the end; 0 removes at once. Left out, deletion is never graceful. */
  gracePeriodSeconds?(object: OpenObject, asked: number | undefined): number
}

/** The member of a JSON object, or `undefined`; follows `path` one step per name. */
export function fieldAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at as Json | undefined
}

/** The member as text, `''` when it is not there: the form field selectors compare. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const field = fieldAt(value, ...path)
  return field === undefined || field === null ? '' : String(field)
}

/** The member as the text of a number, `0` when it is not there. */
export function countAt(value: unknown, ...path: readonly string[]): string {
  return textAt(value, ...path) || '0'
}

/** A JSON object as a record, empty when it is something else. */
export function recordOf(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : {}
}
