import type { KubeObject } from './object.js'

/** The kind of an object's type: a literal such as `'ConfigMap'` where the type says one, else `string`. */
export type KindOf<T extends KubeObject> = NonNullable<T['kind']>

/**
 * One kind of object as the API serves it. `T` is the compile-time shape of its objects.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** API group; `''` is the core group. */
  readonly group: string
  readonly version: string
  /** The kind as objects name it. If the type of the objects has a literal `kind`, this must be the same. */
  readonly kind: KindOf<T>
  /** The lower-case plural, as URLs contain it. */
  readonly plural: string
  readonly namespaced: boolean
  /** Never set: it only carries the type of the objects. */
  readonly objectType?: T
}

/**
 * `v1` for the core group, else `group/version`.
 *
 * @example
 * ```ts
 * console.log(apiVersionOf(deployments)) // apps/v1
 * console.log(apiVersionOf(pods)) // v1
 * console.log(apiVersionOf({ group: 'example.com', version: 'v1' })) // example.com/v1
 * ```
 */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

/**
 * `Kind.group` as kubectl prints it, `configmaps` or `leases.coordination.k8s.io`: for logs and metrics.
 *
 * @example
 * ```ts
 * console.log(formatResource(configMaps)) // configmaps
 * console.log(formatResource(leases)) // leases.coordination.k8s.io
 * console.log(formatResource({ group: 'example.com', plural: 'cars' })) // cars.example.com
 * ```
 */
export function formatResource(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

/** The part of a resource that {@link resourcePath} addresses. */
export interface ResourcePathOptions {
  /** The namespace; left out or `''` means all namespaces (or a cluster-scoped resource). */
  namespace?: string
  /** One object; left out means the collection. */
  name?: string
  /** A part of the object, for example `status`. */
  subresource?: string
}

/** The URL path of a resource, one of its objects, or an object's subresource. */
export function resourcePath(
  resource: Resource,
  { namespace, name, subresource }: ResourcePathOptions = {},
): string {
  const root =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const segments = [root]
  if (resource.namespaced && namespace) segments.push('namespaces', encodeURIComponent(namespace))
  segments.push(resource.plural)
  if (name) segments.push(encodeURIComponent(name))
  if (subresource) segments.push(subresource)
  return segments.join('/')
}

/** Whether objects of this resource hold values that must not appear in logs, Events or pages. */
export function isSecret({ group, kind }: Pick<Resource, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Secret'
}
