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
  /** Default {@link ALL_VERBS}. */
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
export const ALL_VERBS: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

const READ_AND_CHANGE = ['get', 'patch', 'update']

/** `/status`: the state that a controller observed, written separately from the spec. */
export const STATUS: Subresource = { name: 'status', verbs: READ_AND_CHANGE }

/** `/binding`: assigns a pod to a node. */
export const BINDING: Subresource = { name: 'binding', kind: 'Binding', verbs: ['create'] }

/** `/eviction`: deletes a pod unless its disruption budget forbids it. */
export const EVICTION: Subresource = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
}

/** `/log`: the output of a container, which only its node has. */
export const LOG: Subresource = { name: 'log', verbs: ['get'] }

/** `/exec`: runs a command in a container. */
export const EXEC: Subresource = { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] }

/** `/attach`: attaches to the streams of a container. */
export const ATTACH: Subresource = { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] }

/** `/portforward`: forwards connections to the ports of a pod. */
export const PORT_FORWARD: Subresource = {
  name: 'portforward',
  kind: 'PodPortForwardOptions',
  verbs: ['create', 'get'],
}

/** `/ephemeralcontainers`: adds containers to a running pod. */
export const EPHEMERAL_CONTAINERS: Subresource = { name: 'ephemeralcontainers', verbs: READ_AND_CHANGE }

/** `/resize`: changes the resources of a running pod's containers. */
export const RESIZE: Subresource = { name: 'resize', verbs: READ_AND_CHANGE }

/** `/token`: issues a token for a service account. */
export const TOKEN: Subresource = {
  name: 'token',
  kind: 'TokenRequest',
  group: 'authentication.k8s.io',
  version: 'v1',
  verbs: ['create'],
}

/** `/scale`: the number of replicas, in the format that all scalable kinds share. */
export const SCALE: Subresource = {
  name: 'scale',
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: READ_AND_CHANGE,
}
