import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { AccessRule } from '../../engine/manager/unit-source.js'
import type { UncheckedRule } from '../kind/rules/unchecked-rules.js'

/** A program of controllers, described without running it: see `describes` of a plugin. */
export interface OperatorDescription {
  readonly kind: 'OperatorDescription'
  readonly name: string
  /** The namespace of its Pod, its Lease and its webhooks. */
  readonly ownNamespace: string
  /** The only namespace that it sees; left out for all. */
  readonly namespace?: string
  /** The names of its clusters, the one with the Lease first. */
  readonly clusters: readonly string[]
  readonly stopDeadlineMs: number
  readonly isElected: boolean
  readonly controllers: readonly ControllerDescription[]
  /** The permissions that no controller declares, in its first cluster. */
  readonly ownRules: readonly AccessRule[]
  /** The kinds of its own. */
  readonly kinds: readonly KindDescription[]
  /** Set if it writes to the folder of temporary files. */
  readonly writesTemporaryFiles?: true
  /** Left out if it has none. */
  readonly webhooks?: WebhooksDescription
}

/** A kind, as a resource of the API. */
export type DescribedResource = Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>

/** One registered controller. */
export interface ControllerDescription {
  readonly name: string
  /** The cluster of its objects. */
  readonly cluster: string
  /** The kind of its objects. */
  readonly resource: DescribedResource
  /** The finalizer that it adds to objects if it needs one. */
  readonly finalizer: string
  readonly rules: readonly AccessRule[]
}

/** A kind that the operator defines, in one cluster. */
export interface KindDescription {
  readonly cluster: string
  readonly resource: DescribedResource
  readonly hasScale: boolean
  readonly definition: CustomResourceDefinition
  /** The rules of the definition that commands do not check; left out if there are none. */
  readonly unchecked?: readonly UncheckedRule[]
}

/** The webhooks of an operator, as the cluster has to know them. */
export interface WebhooksDescription {
  readonly port: number
  /** The Service in front of them; left out if they are called by a URL. */
  readonly service?: string
  /** The folder with the files of the certificate; left out if the operator makes its own. */
  readonly certificateFolder?: string
  /** The Secret with the certificate, of the operator itself or of cert-manager. */
  readonly secret: string
  /** The service account of the operator, whose requests the webhooks skip. */
  readonly serviceAccount: string
  /** Empty if the operator writes them. */
  readonly configurations: readonly KubeObject[]
  /** The kinds of the configurations, also of those that the operator writes. */
  readonly configurationKinds: readonly string[]
}
