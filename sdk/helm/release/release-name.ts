import { sha256Hex } from '../../engine/kube/concat-name.js'

/** The longest name of a release; Helm adds up to ten characters for names of objects. */
export const maxNameLength = 53
const keptLength = 44
const hashLength = 8
const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const nameFormat = new RegExp(`^${label}(?:\\.${label})*$`)

/** Whether Helm accepts a name for a release. */
export function isReleaseName(name: string): boolean {
  return name.length <= maxNameLength && nameFormat.test(name)
}

/** The fields of a custom resource that the name of its release depends on. */
export interface NamedResource {
  readonly kind: string
  readonly group: string
  readonly namespace: string
  readonly name: string
}

/**
 * The name of the release of a custom resource: its own name, or if that is too long its beginning and a hash of kind,
 * namespace and name, which is the same after every restart.
 */
export function releaseNameOf(resource: NamedResource): string {
  return resource.name.length <= maxNameLength ? resource.name : hashedName(resource)
}

/**
 * The name of a release on the host of a vcluster, where the custom resources of all virtual clusters share a
 * namespace: it is never that of the vcluster itself. The ending differs from that of the names that vcluster gives to
 * copies: otherwise Pods of a tenant could refer to an object of the release by a name that the tenant chose.
 */
export function hostReleaseName(resource: NamedResource, vcluster: string): string {
  const { name, namespace } = resource
  const whole = `${[name, namespace, vcluster].filter((part) => part !== '').join('-x-')}-helm`
  return whole.length <= maxNameLength
    ? whole
    : hashedName({ ...resource, namespace: `${namespace}/${vcluster}` })
}

/** The same name with a hash in any case, for kinds whose objects have equal names in one namespace. */
export function hashedName({ kind, group, namespace, name }: NamedResource): string {
  const hash = sha256Hex(`${kind}.${group}/${namespace}/${name}`).slice(0, hashLength)
  return `${name.slice(0, keptLength).replace(/[-.]+$/, '')}-${hash}`
}
