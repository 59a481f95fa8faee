/**
 * Why metadata was refused: a value that JSON would change, a text that cannot be read, too much of it, or a change by
 * others.
 */
export type MetaDataErrorCode = 'INVALID_METADATA' | 'METADATA_TOO_LARGE' | 'METADATA_CONFLICT'

/**
 * Metadata was refused; the metadata that is stored is unchanged.
 *
 * @example
 * ```ts
 * function remember(metaData: MetaData, log: string): void {
 *   try {
 *     metaData.set('log', log)
 *   } catch (error) {
 *     if (!(error instanceof MetaDataError && error.code === 'METADATA_TOO_LARGE')) throw error
 *   }
 * }
 * ```
 */
export class MetaDataError extends Error {
  override readonly name = 'MetaDataError'

  /** Why the metadata was refused. */
  readonly code: MetaDataErrorCode

  constructor(code: MetaDataErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
