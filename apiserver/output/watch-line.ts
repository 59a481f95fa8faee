import type { Status } from '../../sdk/engine/kube/error.js'
import type { Entry } from '../store/entry.js'

/** One watch event, before it is written in the requested format. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly entry: Entry
}

/** Writes watch events as bytes. */
export interface WatchWriter {
  line(line: WatchLine): Uint8Array
  bookmark(revision: number, initialEventsEnd: boolean): Uint8Array
  /** The last line of a watch that fell behind the history. */
  error(status: Status): Uint8Array
}
