import type {
  CoreV1Event,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1Deployment,
  V1Endpoints,
  V1Ingress,
  V1Lease,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PriorityClass,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StorageClass,
} from './gen/kubernetes.js'
import type { KubeObject } from './object.js'
import type { KindOf, Resource } from './resource.js'

/**
 * A generated API type as programs write it in JSON: dates are strings, quantities may be numbers, and optional members
 * may be `undefined`, as zod types them, also with `exactOptionalPropertyTypes`.
 */
export type Raw<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Raw<Item>[]
    : T extends object
      ? { [Member in keyof T]: RawMember<T, Member> | AbsentMember<T, Member> }
      : T

/** A member of a generated API type: a quantity may be a number. */
export type RawMember<T, Member extends keyof T> = Member extends QuantityMember
  ? RawQuantities<T[Member]>
  : Raw<T[Member]>

/** `undefined` for an optional member; a map has no optional members. */
export type AbsentMember<T, Member extends keyof T> = string extends Member
  ? never
  : Record<never, never> extends Pick<T, Member>
    ? undefined
    : never

/** Members that are quantities wherever they are text or maps of text. */
export type QuantityMember =
  | 'limits'
  | 'requests'
  | 'overhead'
  | 'hard'
  | 'capacity'
  | 'sizeLimit'
  | 'divisor'

/** A quantity, or several by their names. */
export type RawQuantities<T> = T extends string
  ? string | number
  : T extends { [name: string]: string }
    ? { [name: string]: string | number }
    : Raw<T>

/** A generated API type as programs read it in JSON: dates are strings. */
export type RawRead<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? RawRead<Item>[]
    : T extends object
      ? { [Member in keyof T]: RawRead<T[Member]> }
      : T

/** A member of an object: `status` is read, the others are written. */
export type BuiltinMember<T, Member extends keyof T> = Member extends 'status'
  ? RawRead<T[Member]>
  : Member extends 'spec'
    ? Raw<T[Member]>
    : RawMember<T, Member> | AbsentMember<T, Member>

/**
 * A generated top-level API type as a {@link KubeObject}: `metadata` is always there. `Kind` is its kind, so that the
 * types of two kinds with the same fields differ.
 */
export type Builtin<T, Kind extends string = string> = {
  [Member in keyof T as Exclude<Member, 'metadata' | 'apiVersion' | 'kind'>]: BuiltinMember<T, Member>
} & KubeObject & { kind?: Kind }

/** The objects of v1 ConfigMap. */
export type ConfigMap = Builtin<V1ConfigMap, 'ConfigMap'>
/** The objects of apiextensions.k8s.io/v1 CustomResourceDefinition; a schema is a JSON schema of any form. */
export type CustomResourceDefinition = Omit<
  Builtin<V1CustomResourceDefinition, 'CustomResourceDefinition'>,
  'spec'
> & {
  spec: Omit<Raw<V1CustomResourceDefinition['spec']>, 'versions'> & { versions: DefinedVersion[] }
}
/** One version of a custom kind. */
export type DefinedVersion = Omit<Raw<V1CustomResourceDefinition['spec']['versions'][number]>, 'schema'> & {
  schema?: { openAPIV3Schema?: object }
}
/** The objects of apps/v1 Deployment. */
export type Deployment = Builtin<V1Deployment, 'Deployment'>
/** The objects of v1 Endpoints. */
export type Endpoints = Builtin<V1Endpoints, 'Endpoints'>
/** The objects of v1 Event. */
export type Event = Builtin<CoreV1Event, 'Event'>
/** The objects of networking.k8s.io/v1 Ingress. */
export type Ingress = Builtin<V1Ingress, 'Ingress'>
/** The objects of coordination.k8s.io/v1 Lease. */
export type Lease = Builtin<V1Lease, 'Lease'>
/** The objects of v1 Namespace. */
export type Namespace = Builtin<V1Namespace, 'Namespace'>
/** The objects of networking.k8s.io/v1 NetworkPolicy. */
export type NetworkPolicy = Builtin<V1NetworkPolicy, 'NetworkPolicy'>
/** The objects of v1 Node. */
export type Node = Builtin<V1Node, 'Node'>
/** The objects of v1 PersistentVolume. */
export type PersistentVolume = Builtin<V1PersistentVolume, 'PersistentVolume'>
/** The objects of v1 PersistentVolumeClaim. */
export type PersistentVolumeClaim = Builtin<V1PersistentVolumeClaim, 'PersistentVolumeClaim'>
/** The objects of v1 Pod. */
export type Pod = Builtin<V1Pod, 'Pod'>
/** The objects of scheduling.k8s.io/v1 PriorityClass. */
export type PriorityClass = Builtin<V1PriorityClass, 'PriorityClass'>
/** The objects of v1 Secret. */
export type Secret = Builtin<V1Secret, 'Secret'>
/** The objects of v1 Service. */
export type Service = Builtin<V1Service, 'Service'>
/** The objects of v1 ServiceAccount. */
export type ServiceAccount = Builtin<V1ServiceAccount, 'ServiceAccount'>
/** The objects of storage.k8s.io/v1 StorageClass. */
export type StorageClass = Builtin<V1StorageClass, 'StorageClass'>

const core = <T extends KubeObject>(kind: KindOf<T>, plural: string, namespaced = true): Resource<T> => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
})

/** v1 ConfigMap. */
export const configMaps = core<ConfigMap>('ConfigMap', 'configmaps')
/** v1 Endpoints. */
export const endpoints = core<Endpoints>('Endpoints', 'endpoints')
/** v1 Event. */
export const events = core<Event>('Event', 'events')
/** v1 Namespace. */
export const namespaces = core<Namespace>('Namespace', 'namespaces', false)
/** v1 Node. */
export const nodes = core<Node>('Node', 'nodes', false)
/** v1 PersistentVolume. */
export const persistentVolumes = core<PersistentVolume>('PersistentVolume', 'persistentvolumes', false)
/** v1 PersistentVolumeClaim. */
export const persistentVolumeClaims = core<PersistentVolumeClaim>(
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
)
/** v1 Pod. */
export const pods = core<Pod>('Pod', 'pods')
/** v1 Secret. */
export const secrets = core<Secret>('Secret', 'secrets')
/** v1 Service. */
export const services = core<Service>('Service', 'services')
/** v1 ServiceAccount. */
export const serviceAccounts = core<ServiceAccount>('ServiceAccount', 'serviceaccounts')

/** apps/v1 Deployment. */
export const deployments: Resource<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
}
/** coordination.k8s.io/v1 Lease. */
export const leases: Resource<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
}
/** networking.k8s.io/v1 Ingress. */
export const ingresses: Resource<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
}
/** networking.k8s.io/v1 NetworkPolicy. */
export const networkPolicies: Resource<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  namespaced: true,
}
/** scheduling.k8s.io/v1 PriorityClass. */
export const priorityClasses: Resource<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
}
/** storage.k8s.io/v1 StorageClass. */
export const storageClasses: Resource<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
}
/** apiextensions.k8s.io/v1 CustomResourceDefinition. */
export const customResourceDefinitions: Resource<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
}
