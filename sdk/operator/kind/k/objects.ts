import * as z from 'zod'
import type { Raw } from '../../../engine/kube/builtin.js'
import type { V1PodTemplateSpec } from '../../../engine/kube/gen/kubernetes.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { extend } from '../schema/extension.js'
import { listSet } from './lists.js'

/** The schema that `k.oneOf` makes: an object with exactly one of the fields. */
export type OneOf<S extends Readonly<Record<string, z.ZodType>>> = z.ZodType<
  {
    [Name in keyof S]: Record<Name, z.output<S[Name]>> & Partial<Record<Exclude<keyof S, Name>, never>>
  }[keyof S],
  {
    [Name in keyof S]: Record<Name, z.input<S[Name]>> & Partial<Record<Exclude<keyof S, Name>, never>>
  }[keyof S]
>

/**
 * An object of which exactly one field is set: the Kubernetes form of a union.
 *
 * @example
 * ```ts
 * const store = k.oneOf({ memory: z.object({}), disk: z.object({ size: k.quantity() }) })
 * ```
 */
export function oneOf<S extends Readonly<Record<string, z.ZodType>>>(variants: S): OneOf<S> {
  const shape = Object.fromEntries(Object.entries(variants).map(([name, one]) => [name, one.optional()]))
  const names = Object.keys(variants)
  const check = z.superRefine<object>((value, ctx) => {
    if (Object.values(value).filter((one) => one !== undefined).length === 1) return
    ctx.addIssue({ code: 'custom', message: `Exactly one of ${names.join(', ')} must be set`, input: value })
  })
  return extend(z.object(shape), { isOneOf: true }, check) as unknown as OneOf<S>
}

/**
 * An object that field managers own as a whole: a server-side apply replaces all of it.
 *
 * @example
 * ```ts
 * const secretRef = k.atomic(z.object({ name: z.string(), namespace: z.string() }))
 * ```
 */
export function atomic<T extends z.ZodType<object>>(object: T): T {
  return extend(object, { members: { 'x-kubernetes-map-type': 'atomic' } })
}

/** Options of `k.record`. */
export interface RecordOptions {
  /** The smallest number of entries. Default 0. */
  readonly minProperties?: number
  /** The largest number of entries. Default: no limit. */
  readonly maxProperties?: number
}

/**
 * A map with a limited number of entries. Keys with checks of their own become a CEL rule, which needs the limit.
 *
 * @example
 * ```ts
 * const labels = k.record(z.string().max(63), z.string(), { maxProperties: 32 })
 * ```
 */
export function record<V extends z.ZodType>(
  key: z.ZodString,
  value: V,
  { minProperties = 0, maxProperties }: RecordOptions = {},
): z.ZodRecord<z.ZodString, V> {
  const check = z.superRefine<object>((entries, ctx) => {
    const count = Object.keys(entries).length
    if (count >= minProperties && count <= (maxProperties ?? count)) return
    ctx.addIssue({ code: 'custom', message: 'Wrong number of entries', input: entries })
  })
  const members = {
    ...(minProperties > 0 && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  }
  return extend(z.record(key, value), { members }, check)
}

/**
 * A whole Kubernetes object within the object. The API server checks its apiVersion, kind and metadata.
 *
 * @example
 * ```ts
 * const template = k.embedded<ConfigMap>()
 * ```
 */
export function embedded<T extends KubeObject = KubeObject>(): z.ZodType<T, T> {
  const name = z.string().min(1)
  const object = z.looseObject({ apiVersion: name, kind: name, metadata: z.looseObject({}).optional() })
  return extend(object, {
    schema: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  }) as unknown as z.ZodType<T, T>
}

/** A pod template as it is written in JSON. */
export type PodTemplate = Raw<V1PodTemplateSpec>

/**
 * The metadata of a template: name, namespace, labels, annotations and finalizers. An object without fields would lose
 * all labels, because the API server prunes what a schema does not name.
 *
 * @example
 * ```ts
 * const template = z.object({ metadata: k.objectMeta().optional(), spec: z.object({ port: z.int() }) })
 * ```
 */
export function objectMeta() {
  const texts = z.record(z.string(), z.string())
  return z.object({
    name: z.string().optional(),
    namespace: z.string().optional(),
    labels: texts.optional(),
    annotations: texts.optional(),
    finalizers: listSet(z.string()).optional(),
  })
}
