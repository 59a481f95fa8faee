/** A part of an object that has its own URL. */
export interface Subresource {
  readonly name: string
  /** Kind of the body; left out, that of the object itself. */
  readonly kind?: string
  /** Group of the body's kind; left out, the resource's own. */
  readonly group?: string
  readonly version?: string
  readonly verbs: readonly string[]
}

/** One resource of an API group as discovery describes it. */
export interface BuiltInResource {
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Left out, the kind in lower case. */
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Left out, {@link ALL_VERBS}. */
  readonly verbs?: readonly string[]
  readonly subresources?: readonly Subresource[]
  /** The collection its objects are kept in; left out, `plural` or `plural.group`. */
  readonly storage?: string
}

/** One version of an API group; the facts are those that a kube-apiserver v1.36 tells in its discovery. */
export interface ApiGroup {
  readonly group: string
  readonly version: string
  readonly resources: readonly BuiltInResource[]
}

/** What can be done with an ordinary resource, in discovery's order. */
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

/** `/status`: what a controller observed, written apart from what a user asked for. */
export const STATUS: Subresource = { name: 'status', verbs: READ_AND_CHANGE }

/** `/binding`: puts a pod on a node. */
export const BINDING: Subresource = { name: 'binding', kind: 'Binding', verbs: ['create'] }

/** `/eviction`: deletes a pod unless its disruption budget forbids it. */
export const EVICTION: Subresource = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
}

/** `/log`: what a container wrote, which only its node has. */
export const LOG: Subresource = { name: 'log', verbs: ['get'] }

/** `/exec`: a command in a container. */
export const EXEC: Subresource = { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] }

/** `/attach`: the streams of a container. */
export const ATTACH: Subresource = { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] }

/** `/portforward`: connections to the ports of a pod. */
export const PORT_FORWARD: Subresource = {
  name: 'portforward',
  kind: 'PodPortForwardOptions',
  verbs: ['create', 'get'],
}

/** `/ephemeralcontainers`: containers that join a pod while it runs. */
export const EPHEMERAL_CONTAINERS: Subresource = { name: 'ephemeralcontainers', verbs: READ_AND_CHANGE }

/** `/resize`: the resources of a pod's containers while it runs. */
export const RESIZE: Subresource = { name: 'resize', verbs: READ_AND_CHANGE }

/** `/token`: makes a token for a service account. */
export const TOKEN: Subresource = {
  name: 'token',
  kind: 'TokenRequest',
  group: 'authentication.k8s.io',
  version: 'v1',
  verbs: ['create'],
}

/** `/scale`: the number of replicas in a shape that all scalable kinds share. */
export const SCALE: Subresource = {
  name: 'scale',
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: READ_AND_CHANGE,
}
