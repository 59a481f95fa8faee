import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages that an entry point serves in addition to probes and metrics. */
export interface Pages {
  /** The path below which the pages are, for example `/inspector/`. */
  readonly path: string
  /** Whether a path belongs to one of the pages. */
  isFor(path: string): boolean
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>
}
