import type { Status } from '../../sdk/kube/error.js'
import type { Entry } from '../store/entry.js'

/** What one watch event says, before it is written in the shape the caller asked for. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly entry: Entry
}

/** How events become bytes. */
export interface WatchWriter {
  line(line: WatchLine): Uint8Array
  bookmark(revision: number, initialEventsEnd: boolean): Uint8Array
  /** The last line of a watch that fell behind what history holds. */
  error(status: Status): Uint8Array
}
