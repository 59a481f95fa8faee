import type { Test } from 'tap'
import { until } from '../../until.js'
import { underMemoryPressure } from '../memory-pressure.js'
import type { RealNode } from '../real-node.js'
import type { Evicted, PodCase } from './pod-case.js'

/** Evicts the Pods of all cases that can be evicted, in one period of short memory. No other case may run. */
export async function evictions(t: Test, node: RealNode, cases: readonly PodCase[]): Promise<void> {
  const programs: Evicted[] = []
  for (const { skip, evicted } of cases) if (!skip && evicted) programs.push(await evicted(t, node))
  if (programs.length === 0) return
  // Pods that replace the evicted ones wait. They would be evicted again, before the others.
  await node.kubectl('cordon', 'node1')
  await underMemoryPressure(node, () => Promise.all(programs.map((one) => until(() => one.isEvicted()))))
  await node.kubectl('uncordon', 'node1')
  await Promise.all(programs.map((one) => t.test(one.title, (t) => one.comesBack(t))))
}
