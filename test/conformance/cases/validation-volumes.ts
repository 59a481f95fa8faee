import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** What is refused of volumes. */
export const refusedVolumes: CaseGroup = {
  name: 'validation-volumes',
  cases: [
    refuses(
      'a claim says how it is mounted',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: [], resources: { requests: { storage: '1Gi' } } } },
      'spec.accessModes: Required value: at least 1 access mode is required',
    ),
    refuses(
      'an access mode is one that there is',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: ['X'], resources: { requests: { storage: '1Gi' } } } },
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ),
    refuses(
      'a volume of one pod is of no other',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      {
        spec: {
          accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'],
          resources: { requests: { storage: '1Gi' } },
        },
      },
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ),
    refuses(
      'a claim asks for something',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } } },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ),
    refuses(
      'a volume mode is one that there is',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          volumeMode: 'X',
        },
      },
      'spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"',
    ),
  ],
}
