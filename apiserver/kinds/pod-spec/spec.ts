import type { LabelSelector } from '../selector-errors.js'

/** A way to ask a container, or to tell it something; `core/v1`. */
export interface Handler {
  readonly exec?: { readonly command?: readonly string[] }
  readonly httpGet?: {
    readonly path?: string
    readonly port?: number | string
    readonly scheme?: string
  }
  readonly tcpSocket?: { readonly port?: number | string }
  readonly grpc?: { readonly port?: number }
  readonly sleep?: { readonly seconds?: number }
}

/** How often a container is asked, and what follows. */
export interface Probe extends Handler {
  readonly initialDelaySeconds?: number
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
  readonly successThreshold?: number
  readonly failureThreshold?: number
  readonly terminationGracePeriodSeconds?: number
}

/** A port that a container listens on. */
export interface ContainerPort {
  readonly name?: string
  readonly containerPort?: number
  readonly hostPort?: number
  readonly hostIP?: string
  readonly protocol?: string
}

/** One key of a ConfigMap or Secret. */
export interface KeyRef {
  readonly name?: string
  readonly key?: string
}

/** A variable in the environment of a container. */
export interface EnvVar {
  readonly name?: string
  readonly value?: string
  readonly valueFrom?: {
    readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath?: string }
    readonly resourceFieldRef?: { readonly resource?: string }
    readonly configMapKeyRef?: KeyRef
    readonly secretKeyRef?: KeyRef
    readonly fileKeyRef?: object
  }
}

/** Quantities by resource. */
export type ResourceList = Readonly<Record<string, string>>

/** What a container asks for, and what it may have at most. */
export interface Resources {
  readonly limits?: ResourceList
  readonly requests?: ResourceList
}

/** Where a container has a volume. */
export interface VolumeMount {
  readonly name?: string
  readonly mountPath?: string
  readonly subPath?: string
  readonly subPathExpr?: string
}

/** What the rules look at in a container; the decoder has seen to the types. */
export interface Container {
  readonly name?: string
  readonly image?: string
  readonly imagePullPolicy?: string
  readonly terminationMessagePolicy?: string
  readonly restartPolicy?: string
  readonly ports?: readonly ContainerPort[]
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly { readonly configMapRef?: object; readonly secretRef?: object }[]
  readonly volumeMounts?: readonly VolumeMount[]
  readonly resources?: Resources
  readonly resizePolicy?: readonly { readonly resourceName?: string; readonly restartPolicy?: string }[]
  /** Of one that joins a running pod: beside which other it is. */
  readonly targetContainerName?: string
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler }
}

/** A volume: a name, and one member for where it comes from. */
export interface Volume {
  readonly name?: string
  readonly [source: string]: unknown
}

/** What lets a pod onto nodes that others are kept from. */
export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

/** How pods are spread over nodes. */
export interface SpreadConstraint {
  readonly maxSkew?: number
  readonly topologyKey?: string
  readonly whenUnsatisfiable?: string
  readonly labelSelector?: LabelSelector
  readonly minDomains?: number
  readonly nodeAffinityPolicy?: string
  readonly nodeTaintsPolicy?: string
}

/** How a pod looks up names. */
export interface DnsConfig {
  readonly nameservers?: readonly string[]
  readonly searches?: readonly string[]
  readonly options?: readonly { readonly name?: string }[]
}

/** What the rules look at in the spec of a pod. */
export interface PodSpec {
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly ephemeralContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly restartPolicy?: string
  readonly dnsPolicy?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly nodeName?: string
  readonly serviceAccountName?: string
  readonly hostname?: string
  readonly subdomain?: string
  readonly hostNetwork?: boolean
  readonly activeDeadlineSeconds?: number
  readonly terminationGracePeriodSeconds?: number
  readonly tolerations?: readonly Toleration[]
  readonly schedulingGates?: readonly { readonly name?: string }[]
  readonly priorityClassName?: string
  readonly runtimeClassName?: string
  readonly preemptionPolicy?: string
  readonly topologySpreadConstraints?: readonly SpreadConstraint[]
  readonly dnsConfig?: DnsConfig
  readonly overhead?: ResourceList
  readonly os?: { readonly name?: string }
  readonly affinity?: { readonly nodeAffinity?: unknown; readonly [other: string]: unknown }
}
