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
  problem(requested: T): string | undefined
}

/**
 * The rules of one kind, in groups like those of a strategy of Kubernetes (`rest.RESTCreateStrategy` and its siblings);
 * undefined members mean the default. The given objects are the server's own copies: a `prepare` may change their top
 * level, and replaces `spec` and `status`.
 */
export interface KindRules {
  /** The warning for every caller of the kind; default none. */
  readonly deprecation?: string
  /** The API group in errors; default the resource's own. */
  readonly errorGroup?: string
  readonly metadata?: MetadataRules
  readonly read?: ReadRules
  /** Sets defaults, on create and on update. An object that was applied was not decoded, which drops nulls. */
  setDefaults?(object: OpenObject, services: KindServices, written?: { isApplied: boolean }): void
  /** Validates the object, and for an update compares it with its old state; `subresource` is the written part. */
  validate?(object: OpenObject, old?: OpenObject, subresource?: string): FieldError[]
  /** Removes fields that are not stored. Called after managed fields and generation have taken them into account. */
  canonicalize?(object: OpenObject): void
  readonly create?: CreateRules
  readonly update?: UpdateRules
  readonly status?: StatusRules
  readonly parts?: PartRules
  readonly delete?: DeleteRules
}

/** How a kind's own validation repeats that of the metadata: as for a new object, as for a change, both, or none. */
export type MetadataValidation = 'new' | 'change' | 'both' | 'none'

/** The name, the generation, and the validation of `metadata`. */
export interface MetadataRules {
  /** The format of names; default an RFC 1123 subdomain. */
  readonly name?: NameRule
  /**
   * The changes that increase `metadata.generation`: those of the spec, or also of labels or annotations, or none;
   * default false.
   */
  readonly generation?: boolean | 'with labels' | 'with annotations' | 'constant' | 'from zero'
  /** How the kind's own validation of an update repeats that of the metadata; default `both`. */
  readonly repeatedOnUpdate?: MetadataValidation
  /** How the validation of a write to the status repeats that of the metadata; default `repeatedOnUpdate`. */
  readonly repeatedOnStatus?: MetadataValidation
  /** Whether errors of the metadata are reported only if there are no others; default false. */
  readonly isReportedLast?: boolean
  /** Whether finalizers must be Kubernetes' own or have a prefix; default true. */
  readonly checksFinalizers?: boolean
}

/** Lists, watches and views of the kind. */
export interface ReadRules {
  /** The fields for field selectors in addition to `metadata.name` and `metadata.namespace`, with their values. */
  readonly selectableFields?: Readonly<Record<string, (object: OpenObject) => string>>
  /** The error for another field in a field selector; default the usual text. */
  selectorError?(field: string): string
  /** The object for tables and metadata views; default the stored object. */
  inViews?(object: OpenObject): OpenObject
  /** Whether a real server answers reads from its watch cache; default true. */
  readonly isCached?: boolean
}

/** A create. */
export interface CreateRules {
  /** The reason why no object of the kind can be created; undefined if it can. */
  readonly refusal?: string
  /** Whether the status of the new object is kept; default false. */
  readonly allowsStatus?: boolean
  /** Sets fields that only the server may set, for a create by this user; returns the errors. */
  prepare?(object: OpenObject, services: KindServices, user: UserInfo): readonly FieldError[] | undefined
  warnings?(object: OpenObject): string[]
}

/** An update of the whole object. */
export interface UpdateRules {
  /** Whether a PUT of a missing object creates it; default false. */
  readonly allowsCreate?: boolean
  /** Whether an update needs a resourceVersion; default false. */
  readonly needsVersion?: boolean
  /** Whether an update is validated as a whole before its changes; default false. */
  readonly validatesChangesLast?: boolean
  /**
   * Restores fields that an update cannot change; the status is already that of the old object. Returns the errors.
   */
  prepare?(object: OpenObject, old: OpenObject, services: KindServices): readonly FieldError[] | undefined
  /** The errors of forbidden changes; reported between the two validations of the metadata. */
  validate?(object: OpenObject, old: OpenObject): FieldError[]
  /** Rejects a write because of other objects; called last. Throws 403. */
  admit?(change: { next: OpenObject; old: OpenObject; subresource: string }, services: KindServices): void
  warnings?(object: OpenObject, old: OpenObject): string[]
}

/** A write to the status. */
export interface StatusRules {
  /** Whether an apply to the status of a missing object creates it; default false. */
  readonly allowsCreate?: boolean
  /** The metadata that a write to the status does not change: some of its fields, or all; default none. */
  readonly keptMetadata?: 'metadata' | readonly (keyof ObjectMeta)[]
  /** Sets fields that a write to the status omits or must not change. */
  prepare?(object: OpenObject, old: OpenObject, services: KindServices): void
  /** Fills in fields that the server adds to a written status. The writer does not own these fields. */
  complete?(object: OpenObject, old: OpenObject, services: KindServices): void
}

/** The spec or the status of an object, as a write to a part of it reads and returns it. */
type Members = Readonly<Record<string, unknown>>

/** Writes to a part of the object: a subresource such as `approval` or `resize`. */
export interface PartRules {
  /** The new spec after a write to a part, by the part's name; only for parts of the spec. */
  readonly spec?: Readonly<Record<string, (requested: Members, old: Members) => object>>
  /** The members of the status that a write to a part sets, by the part's name. */
  readonly status?: Readonly<Record<string, readonly string[]>>
  /**
   * The fields that a write does not change, so that its manager does not own them, by the written part (`''` for the
   * object); default the status for the object, and the spec for its status.
   */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>
}

/** A delete. */
export interface DeleteRules {
  /** Whether a delete returns the object instead of a Status; default false. */
  readonly returnsObject?: boolean
  /** Set if a delete orphans dependents by default; with the warning for the caller, if any. */
  readonly orphans?: { readonly warning?: string }
  /** Whether a delete supports orphaning and foreground deletion; default true. */
  readonly hasDependents?: boolean
  /**
   * A copy with the deletion timestamp `time`, for a kind with its own deletion; undefined if it is already set.
   */
  begin?(object: OpenObject, time: string): OpenObject | undefined
  /** The grace period in seconds; 0 removes at once. Undefined if deletion is never graceful. */
  gracePeriodSeconds?(object: OpenObject, requestedSeconds: number | undefined): number
}
