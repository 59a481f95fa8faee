/** Values of vcluster's chart that cases add, and the objects that they need on the host. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { firstEvicted } from '../node/memory-pressure.js'
import type { RealNode } from '../node/real-node.js'

/** Another release of vcluster than that of the chart. */
export const withRelease = (version: string): string =>
  `controlPlane: { statefulSet: { image: { tag: ${version} } } }\n`

/** A volume for the data, as by default, because the Pod is replaced, and the first place in evictions. */
export const replaceable = `
controlPlane:
  statefulSet:
    persistence: { volumeClaim: { enabled: true } }
    scheduling: { priorityClassName: ${firstEvicted.metadata.name} }
`

/** The volume for the data of a vcluster: the node has no storage class. It ends with the node. */
export async function persistent(node: RealNode, vcluster: string): Promise<object> {
  const path = await mkdtemp(join(node.folder, 'vcluster-data-'))
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: vcluster },
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace: `vcluster-${vcluster}`, name: `data-${vcluster}-0` },
      hostPath: { path },
    },
  }
}
