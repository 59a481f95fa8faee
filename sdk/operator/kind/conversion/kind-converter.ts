/**
 * Converts the objects of a kind between its versions, by way of the hub. A conversion never fails on the content of an
 * object, because one failure blocks the reads, lists and deletions of all objects. Fields that the wanted version
 * cannot hold are kept, and return when the object is converted back: those of the spec in an annotation, those of the
 * status in the status, where only those can write them who may write the status.
 */

import * as z from 'zod'
import { parseApiVersion } from '../../../engine/kube/api-version.js'
import { cloneJson } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf, valueAt } from '../../../engine/kube/json-object.js'
import type { Kind, KindVersion } from '../define/kind.js'
import { parseObject } from '../define/parse-object.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { convertStatus } from './convert-status.js'
import { applyFieldChanges, type ChangedField, fieldChanges, isSame } from './field-changes.js'
import { checkValueCount, TooManyValuesError } from './many-values.js'
import { pruneToSchema } from './prune-to-schema.js'
import { fittingFields, readUnconverted, type UnconvertedFields, writeUnconverted } from './unconverted.js'

/** The parts of a kind that conversions need. */
export type ConvertibleKind = Pick<Kind, 'group' | 'version' | 'kind' | 'schemas'> & {
  readonly options: {
    readonly spec?: Kind['options']['spec']
    readonly versions?: Readonly<Record<string, KindVersion>>
  }
}

/** An object is not of the kind that it is to be converted as, or the kind has no such version. */
export class ConversionError extends RangeError {
  override readonly name = 'ConversionError'
}

/** The spec of an object, if it has one. Paths of its fields begin with `spec`. */
type SpecPart = { readonly spec?: unknown }

interface Version {
  readonly name: string
  readonly spec: z.ZodType
  readonly schema: JsonSchema | undefined
}

const anyStatus = z.looseObject({})

/** Converts the objects of one kind. */
export class KindConverter {
  readonly #kind: ConvertibleKind
  readonly #versions: ReadonlyMap<string, Version>
  readonly #onFailure: (versions: { from: string; to: string }, error: unknown) => void

  /** `onFailure` is called if `toHub` or `fromHub` throws; the fields that both versions have are then carried over. */
  constructor(
    kind: ConvertibleKind,
    onFailure: (versions: { from: string; to: string }, error: unknown) => void = () => {},
  ) {
    this.#kind = kind
    this.#onFailure = onFailure
    const { versions = {}, spec } = kind.options
    const schemaOf = (name: string) => kind.schemas.find((version) => version.name === name)?.schema
    const specs = [
      [kind.version, spec ?? z.unknown()] as const,
      ...Object.entries(versions).map(([name, one]) => [name, one.spec] as const),
    ]
    this.#versions = new Map(
      specs.map(([name, schema]) => [name, { name, spec: schema, schema: schemaOf(name) }]),
    )
  }

  /** Converts the object to another version. Throws {@link ConversionError} only if it is not of this kind. */
  convert(object: unknown, apiVersion: string): JsonObject {
    const { group, kind, version: hub } = this.#kind
    if (!isJsonObject(object) || object.kind !== kind)
      throw new ConversionError(`an object to convert is not a ${kind}.${group}`)
    if (object.apiVersion === apiVersion) return object
    const [from, to] = [this.#version(object.apiVersion), this.#version(apiVersion)]
    const path = from.name === hub || to.name === hub ? [to] : [this.#version(`${group}/${hub}`), to]
    return path.reduce(
      ({ version, converted }, next) => ({
        version: next,
        converted: this.#convertStepOrRename(converted, version, next),
      }),
      {
        version: from,
        converted: object,
      },
    ).converted
  }

  #version(apiVersion: unknown): Version {
    const { group, kind } = this.#kind
    const read = parseApiVersion(apiVersion)
    const version = read?.group === group ? this.#versions.get(read.version) : undefined
    if (version) return version
    throw new ConversionError(`${JSON.stringify(apiVersion)} is not a version of ${kind}.${group}`)
  }

  /**
   * A spec with too many values is converted without its schemas, and what the other version cannot hold is lost. One
   * that is nested deeper than the stack stays as it is. The status is converted in any case: who may write the spec
   * must not be able to drop fields of the status.
   */
  #convertStepOrRename(object: JsonObject, from: Version, to: Version): JsonObject {
    try {
      return this.#convertStep(object, from, to)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#onFailure({ from: from.name, to: to.name }, error)
      const spec =
        error instanceof TooManyValuesError ? this.#convertOnce(object.spec, from, to) : object.spec
      return this.#rename({ ...object, ...(spec !== undefined && { spec }) }, from, to)
    }
  }

  /** The spec as the function of the version returns it, without defaults; as it is if the function throws. */
  #convertOnce(spec: unknown, from: Version, to: Version): unknown {
    try {
      const converted: unknown = this.#callConversion(cloneJson(spec), from, to)
      return isJsonObject(converted) ? converted : spec
    } catch {
      return spec
    }
  }

  #rename(object: JsonObject, from: Version, to: Version): JsonObject {
    try {
      return this.#withStatus(object, from, to)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return { ...object, apiVersion: `${this.#kind.group}/${to.name}` }
    }
  }

  #convertStep(object: JsonObject, from: Version, to: Version): JsonObject {
    const { spec: _, ...rest } = object
    const { spec, metadata } = this.#convertSpecPart(object, from, to)
    const converted = { ...rest, metadata, ...(spec !== undefined && { spec }) }
    return this.#withStatus(converted, from, to)
  }

  /** The object with the other version and the status of this version. */
  #withStatus({ status: original, ...rest }: JsonObject, from: Version, to: Version): JsonObject {
    const status = convertStatus(original, { from, to })
    const apiVersion = `${this.#kind.group}/${to.name}`
    return { ...rest, apiVersion, ...(status !== undefined && { status }) }
  }

  /** The converted spec, and the metadata with the fields of the spec that are lost. */
  #convertSpecPart(object: JsonObject, from: Version, to: Version): SpecPart & { metadata: unknown } {
    const { group } = this.#kind
    const { [to.name]: returning = [], [from.name]: _, ...waiting } = readUnconverted(object, group)
    checkValueCount(object.spec)
    const part = specPartOf(object, from)
    const converted = this.#restoreFields(part, returning, { from, to })
    const allLost = fieldChanges(this.#convertPart(converted, to, from), part)
    const lost = fittingFields(allLost, { metadata: object.metadata, group, waiting })
    if (lost.length < allLost.length)
      this.#onFailure({ from: from.name, to: to.name }, tooLargeError(to.name))
    const unconverted: UnconvertedFields = { ...waiting, ...(lost.length > 0 && { [from.name]: lost }) }
    return { ...converted, metadata: writeUnconverted(object.metadata, group, unconverted) }
  }

  /**
   * The converted spec, with the fields that waited in the annotation. Users can write the annotation, and the API
   * server does not check the result. So fields return only if the spec then still fits its schema, and if they
   * contradict nothing that the object says itself.
   */
  #restoreFields(
    original: SpecPart,
    returning: readonly ChangedField[],
    { from, to }: { from: Version; to: Version },
  ): SpecPart {
    const plain = this.#convertPart(original, from, to)
    if (returning.length === 0) return plain
    const restored: SpecPart = applyFieldChanges(plain as JsonObject, returning)
    checkValueCount(restored.spec)
    if (fits(plain, to) && !fits(restored, to)) return plain
    const [before, after] = [plain, restored].map((part) => this.#convertPart(part, to, from))
    const isTrue = fieldChanges(before, after).every(({ path, value }) =>
      isSame(value, valueAt(original, path)),
    )
    return isTrue ? restored : plain
  }

  #convertPart({ spec }: SpecPart, from: Version, to: Version): SpecPart {
    return spec === undefined ? {} : { spec: this.#convertSpec(spec, from, to) }
  }

  #convertSpec(spec: unknown, from: Version, to: Version): unknown {
    try {
      const converted: unknown = this.#callConversion(cloneJson(withDefaults(spec, from)), from, to)
      if (!isJsonObject(converted)) throw new TypeError('a conversion must return an object')
      return withDefaults(converted, to)
    } catch (error) {
      this.#onFailure({ from: from.name, to: to.name }, error)
      return pruneToSchema(spec, to.schema?.properties?.spec)
    }
  }

  #callConversion(spec: unknown, from: Version, to: Version): unknown {
    const { versions = {} } = this.#kind.options
    const isToHub = to.name === this.#kind.version
    const conversions = versions[isToHub ? from.name : to.name]
    return isToHub ? conversions?.toHub(spec) : conversions?.fromHub(spec)
  }
}

const tooLargeError = (version: string) =>
  new RangeError(
    `fields that ${version} cannot hold are left out there, because they do not fit in an annotation; make them smaller, or let the clients of the object use another version`,
  )

/** The spec with the defaults of its version. */
function specPartOf(object: JsonObject, version: Version): SpecPart {
  const spec = memberOf(object, 'spec')
  return spec === undefined ? {} : { spec: withDefaults(spec, version) }
}

const fits = ({ spec }: SpecPart, version: Version): boolean => parsedSpec(spec, version).ok

/** A spec with the defaults of its schema; as it is if it does not fit, because a conversion does not validate. */
function withDefaults(spec: unknown, version: Version): unknown {
  const parsed = parsedSpec(spec, version)
  return parsed.ok ? parsed.object.spec : spec
}

const parsedSpec = (spec: unknown, version: Version) =>
  parseObject({ spec: version.spec, status: anyStatus }, { metadata: {}, spec })

/** Whether the API server needs a webhook to convert: not if the schemas of all versions are equal. */
export function needsConversion({ schemas }: Pick<ConvertibleKind, 'schemas'>): boolean {
  const [first, ...others] = schemas.map(({ schema }) => JSON.stringify(schema))
  return others.some((schema) => schema !== first)
}
