/** Why a program was not loaded. */
export type ProgramErrorCode =
  | 'PROGRAM_NOT_ALLOWED'
  | 'PROGRAM_UNREACHABLE'
  | 'PROGRAM_TOO_LARGE'
  | 'INVALID_PROGRAM'
  | 'INVALID_DIGEST'
  | 'MISSING_DIGEST'
  | 'DIGEST_MISMATCH'

/** A program was not loaded; none of its content was executed or kept. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'

  /** Why it was not loaded. */
  readonly code: ProgramErrorCode

  constructor(code: ProgramErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
