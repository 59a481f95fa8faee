import { type ContestedFields, wholeObject } from '../../engine/controller/contested-fields.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { ApplyMemo } from './apply-memo.js'
import type { ApplyRequest } from './apply-request.js'

/** The state of an applier about its applied objects. */
interface Applied {
  readonly memo: ApplyMemo
  readonly contested: ContestedFields
  readonly logger: Logger
}

/** An object that does not exist and is to be created. */
interface NewObject {
  /** Its `placeId`. */
  readonly id: string
  /** The fields to apply, as the memo knows them. */
  readonly intent: object
  readonly owner: ApplyRequest['owner'] | undefined
}

/**
 * Whether an object may be created now. If others have deleted it too often, it must wait, and the contest is reported.
 * Else the creation is counted, once, also if it fails and is tried again. An intent that has changed is applied at
 * once.
 */
export function mayCreateAgain(
  { memo, contested, logger }: Applied,
  { id, intent, owner }: NewObject,
): boolean {
  if (!memo.isDeletedByOthers(id, intent, owner)) return true
  if (contested.mayRepair(id, [wholeObject])) {
    contested.recordRepair(id, [wholeObject])
    memo.excuseDeletion(id)
    return true
  }
  if (contested.unreported(id, [wholeObject]).length > 0) {
    const message = deletionMessage(id)
    contested.recordMessage(id, [wholeObject], message)
    logger.warn({}, message)
  }
  return false
}

const deletionMessage = (object: string) =>
  `${object} is deleted by another program each time that it is created. Stop that program, or do not apply the object. ` +
  'Until then it is created more and more rarely.'
