import type { PodOptions } from '../pod-options.js'

/** Options of the objects that run an operator. */
export interface OperatorManifestOptions {
  image: string
  /** The cluster of the objects; default the first. */
  cluster?: string | undefined
  replicas: number
  /** The memory limit, in MiB. */
  memoryMiB: number
  /** Default none. */
  priorityClass?: string | undefined
  /** Additions of the user to the Pods; default none. */
  pod?: PodOptions | undefined
  /** Whether the namespace is printed, with the label that enforces the restricted Pod Security Standard. */
  createsNamespace: boolean
  /** Whether the metrics are served by HTTPS to those who may read them, instead of by HTTP to everybody. */
  secureMetrics: boolean
  /** Whether a ServiceMonitor is printed; the cluster needs the Prometheus operator. */
  serviceMonitor: boolean
  /** Whether a NetworkPolicy is printed. */
  networkPolicy: boolean
  /** The networks of the API servers, from which the webhooks are called; default everywhere. */
  apiServers?: readonly string[] | undefined
}
