import type { Test } from 'tap'
import type { RealNode } from '../real-node.js'

/** Part of a test on a real node. Cases run side by side on one node, each with objects of its own. */
export interface PodCase {
  /** The title of its test. */
  title: string
  /** Why it cannot run here; default: it can. */
  skip?: string | false
  run(t: Test, node: RealNode): Promise<void>
}
