import { readStoreSnapshot, writeStoreSnapshot } from './store/snapshot-text.js'
import type { StoreSnapshot } from './store/store.js'

/** The state of a server at one time; see `ApiServer.snapshot`. */
export interface Snapshot {
  /** The resourceVersion of the last write before the snapshot. */
  readonly resourceVersion: string
}

/** A snapshot with its content, which only this server reads. */
export class StoredSnapshot implements Snapshot {
  readonly content: StoreSnapshot

  constructor(content: StoreSnapshot) {
    this.content = content
  }

  get resourceVersion(): string {
    return String(this.content.revision)
  }
}

/** The content of a snapshot. Throws a `TypeError` for one of another program. */
export function contentOf(snapshot: Snapshot): StoreSnapshot {
  if (snapshot instanceof StoredSnapshot) return snapshot.content
  throw new TypeError('a snapshot must be what snapshot() of an embedded API server has returned')
}

/** Writes a snapshot as text. The text contains Secrets as they are: only their owner may read it. */
export function writeSnapshot(snapshot: Snapshot): string {
  return writeStoreSnapshot(contentOf(snapshot))
}

/** Reads the text of {@link writeSnapshot}. Throws an `Error` that names the line if it is damaged. */
export function readSnapshot(text: string): Snapshot {
  return new StoredSnapshot(readStoreSnapshot(text))
}
