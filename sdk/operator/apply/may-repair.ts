import type { ContestedFields } from '../../engine/controller/contested-fields.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { ApplyRequest } from './apply-request.js'
import { contestMessage, findRivals } from './find-rivals.js'

/** The state of an applier about the fields that it repairs. */
interface Repairing {
  readonly contested: ContestedFields
  readonly fieldManager: string
  readonly logger: Logger
}

/** An object with fields that other managers have changed. */
interface Drifted<T extends KubeObject> {
  /** Its `placeId`. */
  readonly id: string
  readonly intent: T
  readonly request: ApplyRequest<T>
  /** The paths of the changed fields. */
  readonly paths: readonly string[]
}

/** Whether the fields may be repaired now. If others have changed them too often, they must wait, and are reported. */
export async function mayRepair<T extends KubeObject>(
  { contested, fieldManager, logger }: Repairing,
  { id, intent, request, paths }: Drifted<T>,
): Promise<boolean> {
  if (contested.mayRepair(id, paths)) return true
  const unreported = contested.unreported(id, paths)
  if (unreported.length === 0) return false
  const rivals = await findRivals(request, intent, fieldManager)
  const message = contestMessage(id, { paths: unreported, rivals, fieldManager })
  contested.recordMessage(id, unreported, message)
  logger.warn({}, message)
  return false
}
