import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { claimChangeErrors, claimErrors, volumeErrors } from './claim-errors.js'
import { claimWarnings, volumeWarnings } from './storage-warnings.js'

/** Keeps a claim until no pod uses it. */
export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection'
/** Keeps a volume until no claim is bound to it. */
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection'

/** Keeps a class of volumes until no volume has it. */
export const CLASS_PROTECTION = 'kubernetes.io/vac-protection'

/** What `StorageObjectInUseProtection` adds. */
export function protect({ metadata }: OpenObject, finalizer: string): void {
  const { finalizers = [] } = metadata
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer]
}

/** What a claim is to be filled from has two names. */
function unifySources(object: OpenObject): void {
  const { dataSource, dataSourceRef, ...spec } = recordOf(object.spec)
  const source = dataSource ?? dataSourceRef
  const isElsewhere = fieldAt(dataSourceRef, 'namespace') !== undefined
  if (source === undefined || isElsewhere) return
  object.spec = { ...spec, dataSource: source, dataSourceRef: dataSourceRef ?? source }
}

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolumeclaims */
export const claimRules: KindRules = {
  returnsDeleted: true,
  warnings: claimWarnings,
  prepareCreate(object) {
    protect(object, CLAIM_PROTECTION)
    unifySources(object)
    object.status = { phase: 'Pending' }
  },
  prepareUpdate(object) {
    unifySources(object)
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return []
    const errors = claimErrors(recordOf(object.spec))
    return old === undefined ? errors : [...errors, ...claimChangeErrors(object, old)]
  },
}

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
export const volumeRules: KindRules = {
  metadataOnUpdate: 'new',
  returnsDeleted: true,
  warnings: volumeWarnings,
  prepareCreate(object, { clock }) {
    protect(object, VOLUME_PROTECTION)
    object.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.date()) }
  },
  validate: (object, old, subresource) =>
    subresource === 'status' ? [] : volumeErrors(recordOf(object.spec), old && recordOf(old.spec)),
}
