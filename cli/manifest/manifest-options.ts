import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import type { VClusterRelease } from '../helm/vcluster-release.js'
import type { PrintOperatorOptions } from './operator/print-operator.js'
import type { PodOptions } from './pod-options.js'

/** Options of `vcluster-plugin manifest`. */
export interface ManifestOptions {
  /** The plugin's folder. */
  folder: string
  chart: VClusterRelease['chart']
  /** The plugin's mode; default see `modeFor`. */
  mode: Mode | undefined
  /** The plugin's image; default its name with the tag `dev`. */
  image: string | undefined
  /** The vcluster's name; used in standalone mode, like the namespace. */
  vclusterName: string
  namespace: string
  /** The namespace that the user named; an operator runs there, by default in `<name>-system`. */
  requestedNamespace: string | undefined
  /** Make the certificates of a CNPG plugin, instead of cert-manager. */
  selfSigned: boolean
  /** The file with the Secrets of a CNPG plugin whose certificates are renewed, or `-`; default none. */
  renew: string | undefined
  /** Prints a JSON schema of values files. */
  schema: boolean
  /** The folder for a Helm chart; default none, then the objects are printed. */
  helmChart: string | undefined
  /** The folder for the kustomize layout; default none, then the objects are printed. */
  kustomize: string | undefined
  /** Additions of the user to the Pods of a program with a Deployment of its own; default none. */
  pod: PodOptions | undefined
  /** Options of operators. */
  operator: Omit<PrintOperatorOptions, 'folder' | 'image' | 'createsNamespace' | 'kustomize' | 'pod'>
}
