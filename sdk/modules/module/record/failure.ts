import { PermanentError } from '../../../engine/kube/error.js'
import { redact } from '../../../engine/observe/redact.js'
import { ConfigError } from '../../config/config-error.js'
import type { OperationKind } from '../../manager/manager.js'
import { ProgramConfigError } from '../../manager/program-config-error.js'
import { ProgramError, type ProgramErrorCode } from '../../program/program-error.js'
import { errorEventOf } from './decide.js'
import { BadMetaDataError } from './metadata-store.js'
import type { AttemptFailure } from './operation-record.js'

/** The maximum length of a message in a status, in characters. */
const maxMessageLength = 1_024

/** The codes of errors that only a change of the Module or of the operator can resolve. */
const permanentCodes: readonly ProgramErrorCode[] = [
  'PROGRAM_NOT_ALLOWED',
  'INVALID_DIGEST',
  'MISSING_DIGEST',
]

/**
 * The failure of an attempt, for the status of its Module. Secret texts are left out of the message before it is
 * cut to 1 KiB. An uninstallation is tried again whatever its error was: it must not leave anything.
 */
export function attemptFailure(
  error: unknown,
  kind: OperationKind,
  secretTexts: readonly string[],
): AttemptFailure {
  const message = redact(error instanceof Error ? error.message : String(error), secretTexts)
  return {
    message: message.slice(0, maxMessageLength),
    reason: reasonOf(error, kind),
    isPermanent: kind !== 'uninstall' && isPermanent(error),
  }
}

/** The reason for conditions and Events, by the class of an error. */
function reasonOf(error: unknown, kind: OperationKind): string {
  if (error instanceof ConfigError || error instanceof ProgramConfigError) return 'InvalidConfig'
  if (error instanceof BadMetaDataError) return 'BadMetaData'
  if (error instanceof ProgramError)
    return error.code === 'DIGEST_MISMATCH' ? 'ProgramChanged' : 'ProgramError'
  return kind === 'check' ? 'CheckError' : errorEventOf[kind]
}

function isPermanent(error: unknown): boolean {
  if (error instanceof ProgramError) return permanentCodes.includes(error.code)
  return error instanceof PermanentError || error instanceof ConfigError || error instanceof BadMetaDataError
}
