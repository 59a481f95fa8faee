/** Why a program was not loaded, or does not run. */
export type ProgramErrorCode =
  | 'PROGRAM_NOT_ALLOWED'
  | 'PROGRAM_UNREACHABLE'
  | 'PROGRAM_TOO_LARGE'
  | 'INVALID_PROGRAM'
  | 'INVALID_DIGEST'
  | 'MISSING_DIGEST'
  | 'DIGEST_MISMATCH'
  | 'PROGRAM_NOT_STARTED'
  | 'PROGRAM_ENDED'
  | 'TOO_MANY_STARTS'

/**
 * A program was not loaded, or its process failed. With a code about its source or its digest, none of its content was
 * executed or kept.
 */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'

  /** The reason, for programs. */
  readonly code: ProgramErrorCode

  constructor(code: ProgramErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
