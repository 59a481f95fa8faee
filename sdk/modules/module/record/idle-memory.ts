// The remembered results of earlier runs of idle Modules.
import type { AttemptFailure } from './operation-record.js'

/** The answer of a check. */
export interface CheckVerdict {
  readonly isReady: boolean
  readonly reason?: string
  readonly message?: string
  /** When the next check is due. */
  readonly dueMs: number
}

/** Why a change is not carried out. */
export interface RefusedChange extends Pick<AttemptFailure, 'reason' | 'message'> {
  /** Identifies the refused change and its inputs. */
  readonly of: string
  /** When the change is tried again. */
  readonly untilMs: number
}

/** The result of a check of the workloads of a Module that sleeps. */
export interface SleepVerdict {
  /** The workloads that are awake, as a sentence; undefined without one. */
  readonly awake: string | undefined
  /** When the next check is due. */
  readonly dueMs: number
}
