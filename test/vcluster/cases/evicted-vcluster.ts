// A vcluster whose Pod is evicted because the memory of the node is short.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Evicted } from '../../node/cases/pod-case.js'
import type { RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { vclusterOf } from '../real-vcluster.js'
import { type Copied, copies, isUnchanged } from './restarts.js'

/** A vcluster with the priority of Pods that are evicted first. */
export async function evictedVCluster(
  t: Test,
  node: RealNode,
  name: string,
  copied: Copied,
): Promise<Evicted> {
  const files = await mkdtemp(join(node.folder, `${name}-`))
  const vcluster = await vclusterOf(node, { name, files })
  const [before, pod] = [await copies(vcluster, copied), (await vcluster.pod()).metadata.uid]
  t.not(before.length, 0)
  return {
    title: `${name} comes back with its plugins, and no copy is written`,
    // A kubelet that starts again before it has reported the eviction would start the containers of the same Pod.
    isEvicted: async () => (await vcluster.pod()).metadata.uid !== pod,
    async comesBack(t) {
      const ofPod = `--field-selector=reason=Evicted,involvedObject.uid=${pod}`
      await until(async () => (await node.get('events', '-A', ofPod)).items.length > 0)
      await isUnchanged(t, vcluster, { copies: before, pod, copied })
    },
  }
}
