import { type ContestedFields, wholeObject } from '../../engine/controller/contested-fields.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { ApplyMemo } from './apply-memo.js'
import type { ApplyRequest } from './apply-request.js'
import { WaitError } from './wait-error.js'

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
  readonly request: Pick<ApplyRequest, 'owner' | 'onContested'>
}

/**
 * Throws `WaitError` if an applied object was deleted by others too often to be created now. Else the creation is
 * counted, once, also if it fails and is tried again. An intent that has changed is applied at once.
 */
export function checkMayCreateAgain(
  { memo, contested, logger }: Applied,
  { id, intent, request }: NewObject,
): void {
  if (!memo.isDeletedByOthers(id, intent, request.owner)) return
  if (contested.mayRepair(id, [wholeObject])) {
    memo.excuseDeletion(id)
    return
  }
  const message = deletionMessage(id)
  if (contested.unreported(id, [wholeObject]).length > 0) {
    contested.recordMessage(id, [wholeObject], message)
    logger.warn({}, message)
  }
  const contest = contested.find(id)
  if (contest) request.onContested?.(contest)
  throw new WaitError(message, contest && { againMs: contest.resumeMs })
}

const deletionMessage = (object: string) =>
  `${object} is deleted by another program each time that it is created. Stop that program, or do not apply the object. ` +
  'Until then it is created more and more rarely.'
