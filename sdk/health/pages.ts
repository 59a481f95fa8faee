import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages that a front door serves beside probes and metrics. */
export interface Pages {
  /** The path below which they are, for example `/inspector/`. */
  readonly path: string
  /** Whether a path is theirs. */
  isFor(path: string): boolean
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>
}
