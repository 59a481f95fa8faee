import type { KubeObject } from '../../../engine/kube/object.js'
import { type ConvertibleKind, KindConverter } from './kind-converter.js'

/** An object of a kind in any version. */
export type VersionedObject = KubeObject & {
  readonly apiVersion?: string
  readonly spec?: unknown
  readonly status?: unknown
}

/**
 * Converts an object to another version of its kind, as the conversion webhook of the kind does. An object that goes to
 * another version and back is the same: the fields that the other version cannot hold wait in the annotation
 * `<group>/unconverted`, those of the status in `status.unconverted`.
 *
 * @example
 * ```ts
 * const older = convertObject(backups, backup, 'v1beta1')
 * console.log(older.apiVersion, older.spec)
 * ```
 * @throws `RangeError` if the kind has no such version, and the error of a `toHub` or `fromHub` that throws; the
 *   webhook instead carries over the fields that both versions have
 */
export function convertObject(
  kind: ConvertibleKind,
  object: VersionedObject,
  version: string,
): VersionedObject {
  const { group, version: hub } = kind
  const whole = { apiVersion: `${group}/${hub}`, kind: kind.kind, ...object }
  const converter = new KindConverter(kind, (_versions, error) => {
    throw error
  })
  const wanted = `${group}/${version}`
  if (whole.apiVersion === wanted) return object
  return converter.convert(whole, wanted) as unknown as VersionedObject
}
