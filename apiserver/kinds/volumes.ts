import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules, KindServices } from '../resources/kind-rules.js'
import { claimChangeErrors, claimErrors, claimStatusErrors } from './claim-errors.js'
import { mountOptionErrors, volumeErrors } from './persistent-volume-errors.js'
import { claimWarnings, volumeWarnings } from './storage-warnings.js'

/** Keeps a claim until no pod uses it. */
export const claimProtection = 'kubernetes.io/pvc-protection'
/** Keeps a volume until no claim is bound to it. */
export const volumeProtection = 'kubernetes.io/pv-protection'

/** Keeps a VolumeAttributesClass until no volume uses it. */
export const classProtection = 'kubernetes.io/vac-protection'

/** Adds a finalizer, like `StorageObjectInUseProtection`. */
export function addFinalizer({ metadata }: OpenObject, finalizer: string): void {
  const { finalizers = [] } = metadata
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer]
}

/** Makes the two fields for the data source of a claim equal: `dataSource`, and the newer `dataSourceRef`. */
function equalizeSources(object: OpenObject, old?: OpenObject): void {
  const { dataSource: older, dataSourceRef: newer, ...spec } = recordOf(object.spec)
  // Sources in other namespaces need a feature that is off by default.
  const dataSourceRef = textAt(newer, 'namespace') === '' ? newer : undefined
  // `dataSource` alone must name a claim or a snapshot, otherwise it is dropped silently.
  const isOld = fieldAt(old, 'spec', 'dataSource') !== undefined
  const isKept = dataSourceRef !== undefined || isOld || isClaimOrSnapshot(older)
  const source = (isKept ? older : undefined) ?? dataSourceRef
  const sources = source === undefined ? {} : { dataSource: source, dataSourceRef: dataSourceRef ?? source }
  object.spec = { ...spec, ...sources }
}

function isClaimOrSnapshot(source: unknown): boolean {
  const name = `${textAt(source, 'apiGroup')}/${textAt(source, 'kind')}`
  return name === '/PersistentVolumeClaim' || name === 'snapshot.storage.k8s.io/VolumeSnapshot'
}

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolumeclaims */
export const claimRules: KindRules = {
  validate(object, old, subresource) {
    if (subresource === 'status') return claimStatusErrors(object)
    const errors = claimErrors(recordOf(object.spec))
    return old === undefined ? errors : [...errors, ...claimChangeErrors(object, old)]
  },
  create: {
    warnings: claimWarnings,
    prepare(object) {
      addFinalizer(object, claimProtection)
      equalizeSources(object)
      object.status = { phase: 'Pending' }
    },
  },
  update: {
    warnings: claimWarnings,
    prepare(object, old) {
      equalizeSources(object, old)
    },
  },
  delete: {
    returnsObject: true,
  },
}

/**
 * Sets the time of the last phase change, unless the writer of the status has set it. It is kept until the phase
 * changes.
 */
function keepTransitionTime(object: OpenObject, old: OpenObject, { clock }: KindServices): void {
  const [status, before] = [recordOf(object.status), recordOf(old.status)]
  const { lastPhaseTransitionTime: time } = status
  const isSamePhase = status.phase === before.phase
  if (isSamePhase && (time !== undefined || before.lastPhaseTransitionTime === undefined)) return
  if (!isSamePhase && time !== undefined && time !== before.lastPhaseTransitionTime) return
  const lastPhaseTransitionTime = isSamePhase ? before.lastPhaseTransitionTime : formatTime(clock.date())
  object.status = { ...status, lastPhaseTransitionTime }
}

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
export const volumeRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'new',
    repeatedOnStatus: 'change',
  },
  validate: (object, old, subresource) =>
    subresource === 'status'
      ? []
      : [...volumeErrors(recordOf(object.spec), old && recordOf(old.spec)), ...mountOptionErrors(object)],
  create: {
    warnings: volumeWarnings,
    prepare(object, { clock }) {
      addFinalizer(object, volumeProtection)
      object.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.date()) }
    },
  },
  update: {
    warnings: volumeWarnings,
  },
  status: {
    complete: keepTransitionTime,
  },
  delete: {
    returnsObject: true,
  },
}
