import type { LabelSelector } from '../selector-errors.js'
import type { Affinity } from './affinity-errors.js'

/** A handler of a probe or of a lifecycle event; `core/v1`. */
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

/** A probe with its timing. */
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

/** A claim of its pod that a container uses, or one request of it. */
export interface ClaimRequest {
  readonly name?: string
  readonly request?: string
}

/** A claim of a pod, and where it comes from. */
export interface PodClaim {
  readonly name?: string
  readonly resourceClaimName?: string
  readonly resourceClaimTemplateName?: string
}

/** The requests and limits of a container. */
export interface Resources {
  readonly limits?: ResourceList
  readonly requests?: ResourceList
  readonly claims?: readonly ClaimRequest[]
}

/** The mount point of a volume in a container. */
export interface VolumeMount {
  readonly name?: string
  readonly mountPath?: string
  readonly subPath?: string
  readonly subPathExpr?: string
  readonly readOnly?: boolean
  readonly recursiveReadOnly?: string
  readonly mountPropagation?: string
}

/** The path of a block device in a container. */
export interface VolumeDevice {
  readonly name?: string
  readonly devicePath?: string
}

/** The fields of a container that the rules read; the decoder has checked the types. */
export interface Container {
  readonly name?: string
  readonly image?: string
  readonly imagePullPolicy?: string
  readonly terminationMessagePolicy?: string
  readonly restartPolicy?: string
  readonly restartPolicyRules?: readonly object[]
  readonly ports?: readonly ContainerPort[]
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly { readonly configMapRef?: object; readonly secretRef?: object }[]
  readonly volumeMounts?: readonly VolumeMount[]
  readonly volumeDevices?: readonly VolumeDevice[]
  readonly resources?: Resources
  readonly securityContext?: object
  readonly resizePolicy?: readonly { readonly resourceName?: string; readonly restartPolicy?: string }[]
  /** The target of an ephemeral container. */
  readonly targetContainerName?: string
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler }
}

/** A volume: a name, and one member for its source. */
export interface Volume {
  readonly name?: string
  readonly [source: string]: unknown
}

/** A toleration of taints. */
export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

/** A topology spread constraint. */
export interface SpreadConstraint {
  readonly maxSkew?: number
  readonly topologyKey?: string
  readonly whenUnsatisfiable?: string
  readonly labelSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly minDomains?: number
  readonly nodeAffinityPolicy?: string
  readonly nodeTaintsPolicy?: string
}

/** The DNS configuration of a pod. */
export interface DnsConfig {
  readonly nameservers?: readonly string[]
  readonly searches?: readonly string[]
  readonly options?: readonly { readonly name?: string }[]
}

/** The fields of a pod's spec that the rules read. */
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
  readonly hostUsers?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
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
  readonly resourceClaims?: readonly PodClaim[]
  readonly resources?: Resources
  readonly securityContext?: object
  readonly hostnameOverride?: string
  readonly setHostnameAsFQDN?: boolean
  readonly hostAliases?: readonly { readonly ip?: string; readonly hostnames?: readonly string[] }[]
  readonly readinessGates?: readonly { readonly conditionType?: string }[]
  readonly affinity?: Affinity
}

/** The names that the containers of a pod may refer to. */
export interface PodNames {
  /** The volumes of the pod by name. */
  readonly volumes: ReadonlyMap<string, Volume>
  /** Whether the Pod uses the user namespace of its node. */
  readonly hasHostUsers: boolean
  /** The names of its claims. */
  readonly claims: ReadonlySet<string>
}
