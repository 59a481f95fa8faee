/** Test files that {@link TestQueue} starts in one process. */
export interface QueuedTests {
  readonly files: readonly string[]
  /** The processor time of the files as a share of their time. */
  readonly load: number
}

export class TestQueue {
  constructor(processes: readonly QueuedTests[], capacity: number)
  take(idle?: number): QueuedTests | undefined
  done(taken: QueuedTests): void
}

/** A line of the list of slow files. */
export interface SlowTest {
  readonly file: string
  /** The processor time of the file as a share of its time. */
  readonly load: number
  /** It may share a process with other files. */
  readonly isShared: boolean
  /** It runs only with all tests. */
  readonly isNightly: boolean
}

/** Which files run: without the slow ones, with those of each change, or all. */
export type TestRun = 'quick' | 'changes' | 'all'

export function processesOf(
  files: readonly string[],
  slow: readonly SlowTest[],
  run: TestRun,
  shared: number,
): QueuedTests[]

export function readSlowTests(text: string): SlowTest[]
