/**
 * Converts objects of a kind between its versions.
 *
 * It promises that an object that goes to another version and back is the same: the fields that the other version cannot hold
 * wait in the annotation `<group>/unconverted`. It changes the spec, `apiVersion` and that annotation, and nothing else. It
 * leaves the protocol of the conversion webhook to its server.
 */
import type { z } from 'zod'
import type { KubeObject } from '../../../kube/object.js'
import type { Kind, KindVersion } from '../define/kind.js'
import { type LostField, lostFields, restoreFields } from './lost-fields.js'

/** An object of a kind in any version. */
export type VersionedObject = KubeObject & { readonly apiVersion?: string; readonly spec?: unknown }

/** A kind, as far as conversions need it. */
export type ConvertibleKind = Pick<Kind, 'group' | 'version' | 'kind'> & {
  readonly options: { readonly spec: z.ZodType; readonly versions?: Readonly<Record<string, KindVersion>> }
}

/** The lost fields that wait in an object, by the version that holds them. */
type Waiting = Readonly<Record<string, readonly LostField[]>>

/** One step: to the hub, or from it. */
interface Step {
  readonly from: string
  readonly to: string
  readonly there: (spec: unknown) => unknown
  readonly back: (spec: unknown) => unknown
}

/**
 * Converts an object to another version of its kind.
 *
 * @example
 * ```ts
 * const older = convertObject(backups, backup, 'v1beta1')
 * console.log(older.apiVersion, older.spec)
 * ```
 * @throws `RangeError` if the kind has no such version
 */
export function convertObject(
  kind: ConvertibleKind,
  object: VersionedObject,
  version: string,
): VersionedObject {
  const from = object.apiVersion?.replace(`${kind.group}/`, '') ?? kind.version
  if (from === version) return object
  const steps = [
    ...(from === kind.version ? [] : [toHub(kind, from)]),
    ...(version === kind.version ? [] : [fromHub(kind, version)]),
  ]
  return steps.reduce((object, step) => convertOnce(kind, object, step), object)
}

function versionOf(kind: ConvertibleKind, name: string): KindVersion {
  const versions = kind.options.versions ?? {}
  const version = Object.hasOwn(versions, name) ? versions[name] : undefined
  if (version !== undefined) return version
  throw new RangeError(
    `${kind.kind} has no version ${name}; it has ${[kind.version, ...Object.keys(versions)].join(', ')}`,
  )
}

function toHub(kind: ConvertibleKind, from: string): Step {
  const { spec, ...version } = versionOf(kind, from)
  const there = (old: unknown) => version.toHub(completed(spec, old))
  const back = (hub: unknown) => version.fromHub(completed(kind.options.spec, hub))
  return { from, to: kind.version, there, back }
}

function fromHub(kind: ConvertibleKind, to: string): Step {
  const { there, back, from } = toHub(kind, to)
  return { from: kind.version, to: from, there: back, back: there }
}

/** A spec with its defaults. One that does not fit is converted as it is: a conversion never refuses. */
function completed(schema: z.ZodType, spec: unknown): unknown {
  const { success, data } = schema.safeParse(spec)
  return success ? data : spec
}

function convertOnce(kind: ConvertibleKind, object: VersionedObject, step: Step): VersionedObject {
  const annotation = `${kind.group}/unconverted`
  const waiting = read(object.metadata.annotations?.[annotation])
  const { [step.to]: lostBefore = [], ...others } = waiting
  const spec = restoreFields(step.there(object.spec), lostBefore)
  const lost = lostFields(object.spec, step.back(spec))
  const next: Waiting = lost.length > 0 ? { ...others, [step.from]: lost } : others
  return {
    ...object,
    apiVersion: `${kind.group}/${step.to}`,
    metadata: { ...object.metadata, ...annotationsWith(object, annotation, next) },
    spec,
  }
}

function annotationsWith({ metadata }: VersionedObject, name: string, waiting: Waiting) {
  const { [name]: _, ...annotations } = metadata.annotations ?? {}
  const next =
    Object.keys(waiting).length > 0 ? { ...annotations, [name]: JSON.stringify(waiting) } : annotations
  return metadata.annotations === undefined && Object.keys(next).length === 0 ? {} : { annotations: next }
}

/** Users can write the annotation: members of another form are left out. */
function read(text: string | undefined): Waiting {
  const waiting = parsed(text)
  if (typeof waiting !== 'object' || waiting === null) return {}
  return Object.fromEntries(
    Object.entries(waiting).filter(([, fields]) => Array.isArray(fields) && fields.every(isLostField)),
  )
}

function parsed(text = '{}'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function isLostField(field: unknown): field is LostField {
  const { path } = Object(field)
  return Array.isArray(path) && path.every((step) => typeof step === 'string')
}
