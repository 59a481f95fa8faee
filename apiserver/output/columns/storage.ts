import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { elementsAt, flag, lengthOf, listAt, pointer, text, textOr } from './cell.js'
import type { Cell, CellsByResource } from './column.js'
import { nameOfClass } from './networking.js'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const modeLetters = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const

/** The cells of volumes, claims, classes, drivers and attachments. */
export const storageCells: CellsByResource = {
  persistentvolumeclaims: {
    Status: phaseOf,
    Volume: text('spec', 'volumeName'),
    Capacity: whenBound((claim) => textAt(claim, 'status', 'capacity', 'storage') || '0'),
    'Access Modes': whenBound((claim) => modesOf(claim, 'status')),
    StorageClass: classOf,
    VolumeAttributesClass: pointer('<unset>', 'spec', 'volumeAttributesClassName'),
    VolumeMode: pointer('<unset>', 'spec', 'volumeMode'),
  },
  persistentvolumes: {
    Capacity: textOr('0', 'spec', 'capacity', 'storage'),
    'Access Modes': (volume) => modesOf(volume, 'spec'),
    'Reclaim Policy': text('spec', 'persistentVolumeReclaimPolicy'),
    Status: phaseOf,
    Claim: claimOf,
    StorageClass: classOf,
    VolumeAttributesClass: pointer('<unset>', 'spec', 'volumeAttributesClassName'),
    Reason: text('status', 'reason'),
    VolumeMode: pointer('<unset>', 'spec', 'volumeMode'),
  },
  'storageclasses.storage.k8s.io': {
    Name: (object) =>
      nameOfClass(
        object,
        'storageclass.kubernetes.io/is-default-class',
        'storageclass.beta.kubernetes.io/is-default-class',
      ),
    Provisioner: text('provisioner'),
    ReclaimPolicy: pointer('Delete', 'reclaimPolicy'),
    VolumeBindingMode: pointer('Immediate', 'volumeBindingMode'),
    AllowVolumeExpansion: flag(['allowVolumeExpansion']),
  },
  'csidrivers.storage.k8s.io': {
    AttachRequired: flag(['spec', 'attachRequired'], true),
    PodInfoOnMount: flag(['spec', 'podInfoOnMount']),
    StorageCapacity: flag(['spec', 'storageCapacity']),
    TokenRequests: audiencesOf,
    RequiresRepublish: flag(['spec', 'requiresRepublish']),
    Modes: (object) => listAt(object, 'spec', 'volumeLifecycleModes').join(',') || '<none>',
  },
  'csinodes.storage.k8s.io': { Drivers: lengthOf('spec', 'drivers') },
  'volumeattachments.storage.k8s.io': {
    Attacher: text('spec', 'attacher'),
    PV: text('spec', 'source', 'persistentVolumeName'),
    Node: text('spec', 'nodeName'),
    Attached: flag(['status', 'attached']),
  },
  'volumeattributesclasses.storage.k8s.io': { DriverName: text('driverName') },
}

function phaseOf(object: OpenObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating'
}

/** A cell that is empty for a claim without a volume. */
function whenBound(cell: Cell): Cell {
  return (claim, now) => (textAt(claim, 'spec', 'volumeName') === '' ? '' : cell(claim, now))
}

function modesOf(object: OpenObject, section: string): string {
  const modes = listAt(object, section, 'accessModes')
  return modeLetters.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',')
}

function classOf(object: OpenObject): string {
  return object.metadata.annotations?.[classAnnotation] ?? textAt(object, 'spec', 'storageClassName')
}

function claimOf(volume: OpenObject): string {
  const claim = fieldAt(volume, 'spec', 'claimRef')
  return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`
}

function audiencesOf(driver: OpenObject): string {
  if (fieldAt(driver, 'spec', 'tokenRequests') === undefined) return '<unset>'
  return elementsAt(driver, 'spec', 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',')
}
