import type { PodOptions } from '../pod-options.js'
import type { SelfSignedSecrets } from './self-signed.js'

/** Options of the manifests of a plugin for CloudNativePG. */
export interface CnpgManifestOptions {
  image: string
  /** The namespace of the CloudNativePG operator, which finds plugins only there. */
  namespace: string
  replicas: number
  /** The memory limit, in MiB. */
  memoryMiB: number
  /** The Secrets of self-signed certificates. Default: cert-manager issues the certificates. */
  secrets?: SelfSignedSecrets | undefined
  /** Additions of the user to the Pods; default none. */
  pod?: PodOptions | undefined
}
