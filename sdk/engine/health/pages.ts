import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages that an entry point serves in addition to probes and metrics. */
export interface Pages {
  /** The path below which they are, for example `/inspector/`. */
  readonly path: string
  /** Whether a path is theirs. */
  isFor(path: string): boolean
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>
}
