/** Values of vcluster's chart that cases add, and the objects that they need on the host. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Another release of vcluster than that of the chart. */
export const withRelease = (version: string): string =>
  `controlPlane: { statefulSet: { image: { tag: ${version} } } }\n`

/** The volume for the data of a vcluster: the node has no storage class. */
export function persistent(t: Pick<Test, 'teardown'>, vcluster: string): object {
  const path = mkdtempSync(join(tmpdir(), 'vcluster-data-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
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
