import type { Logger } from '../../engine/observe/logger.js'

/** One call of the operator or of an instance. */
export interface Call {
  /** Adds the method to each line. */
  readonly logger: Logger
  /** Aborts when the caller gives up, when the call takes too long, or when the plugin has to stop. */
  readonly signal: AbortSignal
}
