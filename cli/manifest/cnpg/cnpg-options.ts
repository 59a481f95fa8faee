import type { PodOptions } from '../pod-options.js'
import type { PluginSecrets } from './self-signed.js'

/** Options of the objects of a plugin for CloudNativePG. */
export interface CnpgManifestOptions {
  image: string
  /** The namespace of the operator: it looks for plugins there only. */
  namespace: string
  replicas: number
  /** The memory limit, in MiB. */
  memoryMiB: number
  /** Certificates that this command made; default none, then cert-manager makes them. */
  secrets?: PluginSecrets | undefined
  /** Additions of the user to the Pods; default none. */
  pod?: PodOptions | undefined
}
