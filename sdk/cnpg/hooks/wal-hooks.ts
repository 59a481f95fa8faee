import type { CnpgHookContext } from '../context/contexts.js'
import type { Awaitable } from './optional.js'

/** A WAL file to store. */
export interface WalToArchive {
  /** An absolute path. */
  readonly file: string
  /**
   * Whether to make sure first that the archive is empty; undefined if the operator does not say (before protocol
   * v0.6.0).
   */
  readonly checkEmptyArchive: boolean | undefined
}

/** A WAL file to fetch. */
export interface WalToRestore {
  /** For example `000000010000000000000001`. */
  readonly name: string
  /** The absolute path to write. */
  readonly destination: string
  /** For `rewind`, fetch exactly this file: do not prefetch others, and do not rely on an earlier "not found". */
  readonly mode: 'recovery' | 'rewind'
}

/** The content of an archive. */
export interface WalArchiveStatus {
  firstWal: string
  lastWal: string
  information?: Record<string, string>
}

/**
 * The hooks of the WAL archive. They run in instance Pods, so the plugin needs a sidecar there. If a hook throws,
 * Postgres tries again.
 */
export interface WalHooks<P = Record<string, string>> {
  /** Not called for a Cluster with `isWALArchiver: false` in the entry of the plugin; instances ask every plugin. */
  archive?(ctx: CnpgHookContext<P>, wal: WalToArchive): Awaitable<void>
  restore?(ctx: CnpgHookContext<P>, wal: WalToRestore): Awaitable<void>
  /** No operator up to 1.30 calls it. */
  status?(ctx: CnpgHookContext<P>): Awaitable<WalArchiveStatus>
  /** No operator up to 1.30 calls it. */
  setFirstRequired?(ctx: CnpgHookContext<P>, wal: string): Awaitable<void>
}

/** Whether any hook is set. Those of a class are found on its prototype, so keys of the instance say nothing. */
export function hasWalHooks<P>({ archive, restore, status, setFirstRequired }: WalHooks<P>): boolean {
  return [archive, restore, status, setFirstRequired].some(Boolean)
}
