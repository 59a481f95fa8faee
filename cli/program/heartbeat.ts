import type { Clock } from '../../sdk/engine/time/clock.js'
import { type MainThread, silenceReason } from './main-thread.js'

/** The message that a program's process sends once a second while its event loop turns. */
export interface HeartbeatMessage {
  heartbeat: true
  /** Whether a debugger can stop the process. */
  isDebugged: boolean
}

/** Interval between heartbeats, in milliseconds. */
export const heartbeatMs = 1000
/** Time without a heartbeat after which a program counts as blocked, in milliseconds. */
const blockedMs = 5000

/** Whether a message of a child process is a {@link HeartbeatMessage}. */
export function isHeartbeat(message: unknown): message is HeartbeatMessage {
  return typeof message === 'object' && message !== null && 'heartbeat' in message
}

/** Called when a program does not answer, and when it answers again. */
export interface HeartbeatListener {
  /** No heartbeat came for `silentMs` milliseconds, for a reason. Called once, until the next heartbeat. */
  onBlocked(silentMs: number, reason: string): void
  /** A heartbeat came after {@link onBlocked}; `silentMs` is the time since the one before. */
  onAnswer(silentMs: number): void
}

/** Detects that a process does not answer, and why. The checks begin with the first heartbeat. */
export class HeartbeatMonitor {
  readonly #clock: Clock
  readonly #listener: HeartbeatListener
  readonly #read: () => MainThread | undefined
  /** The main thread at the last heartbeat. */
  #thread: MainThread | undefined
  #lastMs: number | undefined
  #checkedMs = 0
  #isBlocked = false
  #cancel = () => {}

  /** `read` reads the state of the process's main thread. */
  constructor(clock: Clock, listener: HeartbeatListener, read: () => MainThread | undefined) {
    this.#clock = clock
    this.#listener = listener
    this.#read = read
  }

  /** Records a heartbeat. */
  beat(): void {
    const nowMs = this.#clock.now()
    const lastMs = this.#lastMs
    this.#lastMs = nowMs
    this.#thread = this.#read()
    if (lastMs === undefined) this.#check()
    else if (this.#isBlocked) this.#listener.onAnswer(nowMs - lastMs)
    this.#isBlocked = false
  }

  /** Ends the checks: the process has ended. */
  stop(): void {
    this.#cancel()
  }

  #check(): void {
    const nowMs = this.#clock.now()
    // This process was blocked or asleep itself, so heartbeats may be waiting to be read.
    const isLate = nowMs - this.#checkedMs > 2 * heartbeatMs
    this.#checkedMs = nowMs
    const silentMs = nowMs - (this.#lastMs ?? nowMs)
    if (!isLate && !this.#isBlocked && silentMs >= blockedMs) {
      this.#isBlocked = true
      this.#listener.onBlocked(silentMs, silenceReason(this.#thread, this.#read(), silentMs))
    }
    this.#cancel = this.#clock.schedule(heartbeatMs, () => this.#check())
  }
}
