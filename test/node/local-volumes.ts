import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealNode } from './real-node.js'

/** Options of {@link localVolumes}. */
export interface LocalVolumesOptions {
  /** The StorageClass, which is created. */
  storageClass: string
  /** The number of volumes. */
  count: number
  /** Whether claims without a class get it; default false. */
  isDefault?: boolean
}

/** Creates a StorageClass with volumes that are folders of this machine, and returns the folders. */
export async function localVolumes(
  node: RealNode,
  { storageClass, count, isDefault = false }: LocalVolumesOptions,
): Promise<string[]> {
  const at = await mkdtemp(join(node.folder, 'volumes-'))
  const folders = await Promise.all(Array.from({ length: count }, () => mkdtemp(join(at, 'volume-'))))
  for (const path of [node.folder, at, ...folders]) await chmod(path, 0o755)
  const annotations = isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {}
  await node.apply([
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: storageClass, annotations },
      provisioner: 'kubernetes.io/no-provisioner',
    },
    ...folders.map((path, index) => localVolume({ name: `${storageClass}-${index}`, storageClass, path })),
  ])
  return folders
}

const localVolume = ({ name, storageClass, path }: { name: string; storageClass: string; path: string }) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '5Gi' },
    accessModes: ['ReadWriteOnce', 'ReadWriteMany'],
    storageClassName: storageClass,
    persistentVolumeReclaimPolicy: 'Retain',
    local: { path },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node1'] }] },
        ],
      },
    },
  },
})
