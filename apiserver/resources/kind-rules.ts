import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import type { ServerClock } from '../base/clock.js'
import type { Identity } from '../base/identity.js'
import type { OpenObject } from '../base/object.js'
import type { UserInfo } from '../request/request.js'
import type { FieldError } from '../validation/field-error.js'
import type { NameRule } from '../validation/names.js'

/** The services of the server for the rules. */
export interface KindServices {
  readonly clock: ServerClock
  readonly identity: Identity
  /** An object of a collection; namespace `''` for a cluster-scoped one. */
  find(storage: string, namespace: string, name: string): OpenObject | undefined
  /** Every object of a collection. */
  all(storage: string): Iterable<OpenObject>
  readonly serviceAddresses: Pool<string>
  readonly nodePorts: Pool<number>
}

/** Numbers or addresses with at most one holder each. */
export interface Pool<T> {
  /** Allocates a free value that is not in `except`. Throws if there is none. */
  allocate(except?: ReadonlySet<T>): T
  /** The reason why a requested value cannot be allocated. */
  problem(asked: T): string | undefined
}

/**
 * The rules of one kind; undefined members mean the default. The given objects are the server's own copies:
 * `prepare…` may change their top level, and replaces `spec` and `status`.
 */
export interface KindRules {
  /** The format of names; default an RFC 1123 subdomain. */
  readonly name?: NameRule
  /**
   * The changes that increase `metadata.generation`: those of the spec, or also of labels or annotations, or
   * none; default false.
   */
  readonly generation?: boolean | 'with labels' | 'with annotations' | 'constant' | 'from zero'
  /** Whether a PUT of a missing object creates it; default false. */
  readonly createOnUpdate?: boolean
  /** Whether an apply to the status of a missing object creates it; default false. */
  readonly createsByStatus?: boolean
  /** Whether an update needs a resourceVersion; default false. */
  readonly versionedUpdate?: boolean
  /** Whether a delete returns the object instead of a Status; default false. */
  readonly returnsDeleted?: boolean
  /** The selectable fields in addition to `metadata.name` and `metadata.namespace`. */
  readonly selectable?: Readonly<Record<string, (object: OpenObject) => string>>
  /** The error for an unsupported field; default the usual text. */
  refuseField?(field: string): string
  /** Whether a create may set a status; default false. */
  readonly createsStatus?: boolean
  /** Set if a delete orphans dependents by default; with the warning for the caller, if any. */
  readonly orphans?: { readonly warning?: string }
  /** The metadata that a write to the status does not change: some of its fields, or all; default none. */
  readonly statusKeeps?: 'metadata' | readonly (keyof ObjectMeta)[]
  /** The object for tables and metadata views; default the stored object. */
  inViews?(object: OpenObject): OpenObject
  /** Sets fields that a write to the status omits or must not change. */
  prepareStatus?(object: OpenObject, old: OpenObject, services: KindServices): void
  /** Fills in what the server adds to a status that was written. Its writer does not own this. */
  completeStatus?(object: OpenObject, old: OpenObject, services: KindServices): void
  /**
   * How the kind's own validation of an update repeats that of the metadata, which every update has: as a
   * `new` object, as a `change`, `both` or `none`; default `both`.
   */
  readonly metadataOnUpdate?: 'new' | 'change' | 'both' | 'none'
  /** The same for a write to the status, which is validated as a change or not at all. */
  readonly metadataOnStatus?: KindRules['metadataOnUpdate']
  /** Whether errors of the metadata are reported only if there are no others; default false. */
  readonly metadataLast?: boolean
  /** The group in errors; default the resource's own. */
  readonly errorGroup?: string
  /** Whether a delete supports orphaning and foreground deletion; default true. */
  readonly hasDependents?: boolean
  /** Whether a real server answers reads from its watch cache; default true. */
  readonly isCached?: boolean
  /** Whether an update is validated as a whole before its changes; default false. */
  readonly checksChangesLast?: boolean
  /** Whether finalizers must be Kubernetes' own or have a prefix; default true. */
  readonly checksFinalizers?: boolean
  /** Sets defaults, on create and on update. An object that was applied was not decoded, which drops nulls. */
  prepare?(object: OpenObject, services: KindServices, written?: { isApplied: boolean }): void
  /** Sets fields that only the server may set, on create by this user; returns the errors. */
  prepareCreate?(
    object: OpenObject,
    services: KindServices,
    user: UserInfo,
  ): readonly FieldError[] | undefined
  /** The new spec after a write to a part of the object, by the part's name; only for parts of the spec. */
  readonly parts?: Readonly<
    Record<
      string,
      (asked: Readonly<Record<string, unknown>>, old: Readonly<Record<string, unknown>>) => object
    >
  >
  /** The members of the status that a write to a part of the object sets, by the part's name. */
  readonly statusParts?: Readonly<Record<string, readonly string[]>>
  /**
   * The fields that a write does not change, so that its manager does not own them, by the written part; default the
   * status for the object, and the spec for its status.
   */
  readonly ignores?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Takes away what is not stored, after managed fields and the generation have counted it. */
  canonicalize?(object: OpenObject): void
  /** Rejects a write because of other objects; called last. Throws 403. */
  admitUpdate?(
    change: { next: OpenObject; old: OpenObject; subresource: string },
    services: KindServices,
  ): void
  /** The warning for every caller of the kind; default none. */
  readonly deprecation?: string
  /** The warnings for a create. */
  warnings?(object: OpenObject): string[]
  /** The warnings for an update. */
  updateWarnings?(object: OpenObject, old: OpenObject): string[]
  /** The reason why no object of the kind can be created; undefined if it can. */
  readonly createRefusal?: string
  /**
   * Restores fields that an update cannot change; the status is already that of the old object. Returns the
   * errors.
   */
  prepareUpdate?(
    object: OpenObject,
    old: OpenObject,
    services: KindServices,
  ): readonly FieldError[] | undefined
  /** The errors of forbidden changes; reported between the two validations of the metadata. */
  validateChange?(object: OpenObject, old: OpenObject): FieldError[]
  /**
   * Validates the object, and for an update compares it with its old state; `subresource` is the written
   * part.
   */
  validate?(object: OpenObject, old?: OpenObject, subresource?: string): FieldError[]
  /**
   * A copy with the deletion timestamp `time`, for a kind with its own deletion; undefined if it is already
   * set.
   */
  beginDelete?(object: OpenObject, time: string): OpenObject | undefined
  /** The grace period of a delete in seconds; 0 removes at once. Undefined if deletion is never graceful. */
  gracePeriodSeconds?(object: OpenObject, asked: number | undefined): number
}
