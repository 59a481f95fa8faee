import type { Test } from 'tap'
import type { RealNode } from '../../node/real-node.js'
import type { RealVCluster } from '../real-vcluster.js'

/** A sentence of a page or a README, verified in a vcluster. */
export interface Claim {
  /** The title of its test. */
  title: string
  run(t: Test, node: RealNode, vcluster: RealVCluster): Promise<void>
}
