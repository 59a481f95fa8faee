import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** Errors of volumes. */
export const refusedVolumes: CaseGroup = {
  name: 'validation-volumes',
  cases: [
    refuses(
      'a claim needs an access mode',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: [], resources: { requests: { storage: '1Gi' } } } },
      'spec.accessModes: Required value: at least 1 access mode is required',
    ),
    refuses(
      'an access mode must be known',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: ['X'], resources: { requests: { storage: '1Gi' } } } },
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ),
    refuses(
      'ReadWriteOncePod excludes other access modes',
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
      'a claim needs a size above zero',
      'persistentvolumeclaims',
      { kind: 'PersistentVolumeClaim' },
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } } },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ),
    refuses(
      'a volume mode must be known',
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
