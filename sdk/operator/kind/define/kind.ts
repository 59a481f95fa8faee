import type { z } from 'zod'
import type { ObjectMeta } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { CelRule, JsonSchema } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'
import type { DefaultContext, FieldProblem, ValidateContext } from './admission.js'
import type { ConditionDeclaration, KindCondition } from './condition.js'

/**
 * The conditions by which the SDK reports problems of an object, each only while it lasts: the object does not fit its
 * schema, a run cannot go on without a person, runs fail and are tried again, or `finalize` fails.
 */
export type ProblemCondition = 'Valid' | 'Stalled' | 'Reconciling' | 'Finalized'

/** The fields of a status that the SDK writes. */
export interface ManagedStatus<Condition extends string = string> {
  /** The generation of the last run that has ended, or that is stalled: a run that is tried again does not count. */
  observedGeneration?: number
  conditions?: KindCondition<Condition | ProblemCondition>[]
}

/** An object of a kind, with the members that the kind has next to `spec` and `status`. */
export type CustomObject<
  Name extends string = string,
  Spec = unknown,
  Status = unknown,
  Condition extends string = string,
  Fields extends object = object,
> = {
  apiVersion?: string
  kind?: Name
  metadata: ObjectMeta
  status?: Status & ManagedStatus<Condition>
  // A kind without a schema for `spec` does not have it.
} & ([Spec] extends [undefined] ? { spec?: never } : { spec: Spec }) &
  // zod types an object without members as one with every member.
  (string extends keyof Fields ? unknown : Fields)

/** The schema of a kind that has only the usual members. */
export type NoFields = z.ZodObject<Record<never, never>>

/** The objects of a kind as they are read: defaults are filled in. */
export type ObjectOf<K> = K extends Resource<infer T> ? T : never

/** The condition types that a kind declares; any text for another resource. */
export type ConditionOf<K> = K extends {
  readonly conditions: readonly ConditionDeclaration<infer Condition>[]
}
  ? Condition
  : string

/** The objects of a kind as they are written: fields with a default may be left out. */
export type InputOf<K> =
  K extends Kind<infer Name, infer Spec, infer Status, infer Condition, infer Fields>
    ? CustomObject<Name, z.input<Spec>, z.output<Status>, Condition, z.input<Fields>>
    : never

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string
  /** A simple JSONPath, for example `.spec.size`. */
  readonly path: string
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date'
  /** Above 0: shown with `-o wide` only. Default 0. */
  readonly priority?: number
  readonly format?: string
  readonly description?: string
}

/** The scale subresource, which `kubectl scale` and autoscalers use. */
export interface Scale {
  /** The replicas that are wanted, for example `.spec.replicas`. */
  readonly spec: string
  /** The replicas that exist, for example `.status.replicas`. */
  readonly status: string
  /** The label selector of the pods as text, for example `.status.selector`. Default none. */
  readonly selector?: string
}

/** Limits of the names of objects, stricter than those of Kubernetes. */
export interface NameLimits {
  /** Default 253. Shorten it if names of other objects derive from it. */
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: RegExp
}

/** An older or newer version of a kind, with the conversion to and from the hub. */
export interface KindVersion<Spec extends z.ZodType = z.ZodType, HubSpec extends z.ZodType = z.ZodType> {
  readonly spec: Spec
  /** Default: the status of the hub. */
  readonly status?: z.ZodObject
  /** Default true. */
  readonly served?: boolean
  /** The warning that clients of this version get. Default: the version is not deprecated. */
  readonly deprecated?: string
  /** The scale subresource of this version. Default none. */
  readonly scale?: Scale
  /** The paths that field selectors may name in this version. Default none. */
  readonly selectable?: readonly string[]
  /** Converts a spec of this version. It must be pure and never throw. */
  toHub(spec: z.output<Spec>): z.input<HubSpec>
  /** Converts a spec of the hub. It must be pure and never throw. */
  fromHub(spec: z.output<HubSpec>): z.input<Spec>
}

/** The versions of a kind besides the hub, by name. */
export type KindVersions = Readonly<Record<string, KindVersion>>

/** Options of {@link defineKind}. */
export interface KindOptions<
  Name extends string = string,
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodObject = z.ZodObject,
  Condition extends string = string,
  Versions extends Readonly<Record<string, z.ZodType>> = Readonly<Record<string, z.ZodType>>,
  Fields extends z.ZodObject = z.ZodObject,
> {
  /**
   * The API group, a DNS name of your own with a dot. One below `k8s.io` needs `api-approved.kubernetes.io` in
   * `annotations`.
   */
  readonly group: string
  /** The version that is stored and that controllers see: the hub of all conversions. */
  readonly version: string
  /** The name in CamelCase. */
  readonly kind: Name
  /** Default: the lower-case English plural of `kind`. */
  readonly plural?: string
  /** Default `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster'
  /** The schema of the part that users write: an object. Default: objects have no `spec`. */
  readonly spec?: Spec
  /**
   * The schema of members next to `spec` and `status`, as a StorageClass has them: `z.object({...})`, with or without
   * `k.rule`, whose `self` is the whole object. Default none.
   */
  readonly fields?: Fields
  /**
   * The schema of the part that the controller writes. Default: conditions and `observedGeneration` only; every status
   * has them. `false`: objects have no status, and no controller reconciles them. A required field is empty, zero or
   * false until a run sets it.
   */
  readonly status?: Status | false
  /** The condition types that the controller writes. Default none. */
  readonly conditions?: readonly (Condition | ConditionDeclaration<Condition>)[]
  /** The names of the effects that the controller has; the journal of them is in `status.effects`. Default none. */
  readonly effects?: readonly string[]
  /** Columns of `kubectl get`, after the name; Age is added. Default none. */
  readonly columns?: readonly Column[]
  /** Default none. */
  readonly scale?: Scale
  /** Paths that field selectors may name; at most 8, each a scalar. Default none. */
  readonly selectable?: readonly string[]
  /** Default none. */
  readonly shortNames?: readonly string[]
  /** For example `all`. Default none. */
  readonly categories?: readonly string[]
  /** Limits for the names of the objects. Default: those of Kubernetes. */
  readonly name?: NameLimits
  /** CEL rules for the whole object; of `metadata` they see `name` and `generateName`. Default none. */
  readonly rules?: readonly CelRule[]
  /** Labels of the definition. Default none. */
  readonly labels?: Readonly<Record<string, string>>
  /** Annotations of the definition. Default none. */
  readonly annotations?: Readonly<Record<string, string>>
  /** The description of the kind. Default none. */
  readonly description?: string
  /** Cuts descriptions to so many characters. Default: not at all. */
  readonly maxDescription?: number
  /** Further versions. Default none. */
  readonly versions?: { readonly [V in keyof Versions]: KindVersion<Versions[V], Spec> }
  /** Fills in defaults that a schema cannot express; a webhook calls it. It must be idempotent. Default none. */
  readonly default?: (
    ctx: DefaultContext,
    object: CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>,
  ) => CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>
  /** Checks what a schema and CEL cannot; a webhook calls it. Default none. */
  readonly validate?: (
    ctx: ValidateContext,
    object: CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>,
    old?: CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>,
  ) => readonly FieldProblem[]
}

/** The outcome of {@link Kind.parse}. */
export type ParseResult<T> =
  | {
      readonly ok: true
      /** The object with defaults filled in; fields that the schema does not know are kept. */
      readonly object: T
      /** Why the status was left out; empty if it fits or is absent. The next run of the controller replaces it. */
      readonly statusProblems: readonly FieldProblem[]
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** One version of a kind, converted to the schema of a CustomResourceDefinition. */
export interface VersionSchema {
  readonly name: string
  readonly served: boolean
  readonly deprecated?: string
  readonly schema: JsonSchema
}

/** A kind of your own. It can be used wherever a {@link Resource} can. Made by {@link defineKind}. */
export interface Kind<
  Name extends string = string,
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodObject = z.ZodObject,
  Condition extends string = string,
  Fields extends z.ZodObject = z.ZodObject,
> extends Omit<
    Resource<CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>>,
    'kind'
  > {
  readonly kind: Name
  /** The options that the kind was defined with. */
  readonly options: KindOptions<Name, Spec, Status, Condition, Readonly<Record<string, z.ZodType>>, Fields>
  /** The condition types that the controller writes. */
  readonly conditions: readonly ConditionDeclaration<Condition>[]
  /** The schemas of all versions; the hub comes first. */
  readonly schemas: readonly VersionSchema[]
  /** The values of the required fields of the status until a run sets them; empty if none is required. */
  readonly initialStatus: object
  /** Parts of the schema that work, though perhaps not as intended. */
  readonly warnings: readonly KindProblem[]
  /**
   * Checks a live object of the hub version by the schema.
   *
   * @example
   * ```ts
   * const result = backups.parse(live)
   * if (!result.ok) console.log(result.problems.map(({ path, message }) => `${path}: ${message}`))
   * ```
   */
  parse(
    object: unknown,
  ): ParseResult<CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>>
}
