import type { VClusterRelease } from '../helm/vcluster-release.js'

/** Which way objects are copied. */
export type Direction = (typeof directions)[number]

/** From the virtual cluster to the host, from the host to the virtual cluster, or both ways. */
export const directions = ['down', 'up', 'both'] as const

/** What `vcluster-plugin create` was asked for. */
export interface CreateOptions {
  /** The folder to make; it may exist when it is empty. */
  folder: string
  /** The plugin's name in vcluster's values. */
  name: string
  /** A built-in kind in any of its spellings (`ConfigMap`, `configmaps`, `deployments.apps`), or the file of a definition. */
  kind: string
  direction: Direction
  vcluster: VClusterRelease
  /** What npm is told to get the SDK by; default where this program came from. */
  sdk: string | undefined
}
