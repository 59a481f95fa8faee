/** A part of an object that has its own URL. */
export interface Subresource {
  readonly name: string
  /** Kind of the body; default that of the object itself. */
  readonly kind?: string
  /** Group of the body's kind; default the resource's own. */
  readonly group?: string
  readonly version?: string
  readonly verbs: readonly string[]
}

/** One resource of an API group, as in discovery. */
export interface BuiltInResource {
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Default the kind in lower case. */
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Default {@link allVerbs}. */
  readonly verbs?: readonly string[]
  readonly subresources?: readonly Subresource[]
  /** The collection of its objects; default `plural` or `plural.group`. */
  readonly storage?: string
}

/** One version of an API group, with the data of a kube-apiserver v1.36's discovery. */
export interface ApiGroup {
  readonly group: string
  readonly version: string
  readonly resources: readonly BuiltInResource[]
}

/** The verbs of an ordinary resource, in discovery's order. */
export const allVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

const readAndChange = ['get', 'patch', 'update']

/** `/status`: the state that a controller observed, written separately from the spec. */
export const status: Subresource = { name: 'status', verbs: readAndChange }

/** `/binding`: assigns a pod to a node. */
export const binding: Subresource = { name: 'binding', kind: 'Binding', verbs: ['create'] }

/** `/eviction`: deletes a pod unless its disruption budget forbids it. */
export const eviction: Subresource = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
}

/** `/log`: the output of a container, which only its node has. */
export const log: Subresource = { name: 'log', verbs: ['get'] }

/** `/exec`: runs a command in a container. */
export const exec: Subresource = { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] }

/** `/attach`: attaches to the streams of a container. */
export const attach: Subresource = { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] }

/** `/portforward`: forwards connections to the ports of a pod. */
export const portForward: Subresource = {
  name: 'portforward',
  kind: 'PodPortForwardOptions',
  verbs: ['create', 'get'],
}

/** `/ephemeralcontainers`: adds containers to a running pod. */
export const ephemeralContainers: Subresource = { name: 'ephemeralcontainers', verbs: readAndChange }

/** `/resize`: changes the resources of a running pod's containers. */
export const resize: Subresource = { name: 'resize', verbs: readAndChange }

/** `/token`: issues a token for a service account. */
export const token: Subresource = {
  name: 'token',
  kind: 'TokenRequest',
  group: 'authentication.k8s.io',
  version: 'v1',
  verbs: ['create'],
}

/** `/scale`: the number of replicas, in the format that all scalable kinds share. */
export const scaleSubresource: Subresource = {
  name: 'scale',
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: readAndChange,
}
