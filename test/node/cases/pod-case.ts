import type { Test } from 'tap'
import type { RealNode } from '../real-node.js'

/** Part of a test on a real node. Cases run side by side on one node, each with objects of its own. */
export interface PodCase {
  /** The title of its test. */
  title: string
  /** Why it cannot run here; default: it can. */
  skip?: string | false
  run(t: Test, node: RealNode): Promise<void>
  /** Makes what {@link run} deployed the first that the node evicts. Default: it is not evicted. */
  evicted?(t: Test, node: RealNode): Promise<Evicted>
}

/** A program whose Pod is to be evicted. */
export interface Evicted {
  /** The title of the case. */
  title: string
  isEvicted(): Promise<boolean>
  /** Verifies it, when the node has enough memory again. */
  comesBack(t: Test): Promise<void>
}
