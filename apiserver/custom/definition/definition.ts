import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { Schema } from '../../schema/structural-schema.js'

/** One entry of `spec.versions`. */
export interface DefinedVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly subresources?: Readonly<Record<string, unknown>>
  readonly additionalPrinterColumns?: readonly Readonly<Record<string, unknown>>[]
  /** Paths such as `.spec.color`, which field selectors use without the dot. */
  readonly selectableFields?: readonly { readonly jsonPath?: string }[]
}

/** The names that a definition requests, or that were accepted. */
export interface DefinedNames {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

/** `spec.versions`. */
export function versionsOf(definition: OpenObject): readonly DefinedVersion[] {
  const versions = fieldAt(definition, 'spec', 'versions')
  return Array.isArray(versions) ? (versions as unknown as DefinedVersion[]) : []
}

/** `spec.names`, or with `status` the names that were accepted. */
export function namesOf(definition: OpenObject, part: 'spec' | 'status' = 'spec'): DefinedNames {
  const names = recordOf(
    part === 'spec' ? fieldAt(definition, 'spec', 'names') : fieldAt(definition, 'status', 'acceptedNames'),
  )
  const { plural = '', singular = '', kind = '', listKind = '' } = names as Partial<DefinedNames>
  return { ...names, plural, singular, kind, listKind }
}

/** The parts of a version that the server moves to the top if they are equal in all versions. */
export type SharedPart = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'

/** Whether a part is equal in all versions. Messages then use its path at the top. */
export function isShared(versions: readonly DefinedVersion[], part: SharedPart): boolean {
  const [first, ...others] = versions
  if (first?.[part] === undefined) return false
  return others.every((version) => jsonEqual(version[part], first[part]))
}
