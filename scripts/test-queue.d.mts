/** A test file that {@link TestQueue} starts. */
export interface QueuedTest {
  readonly file: string
  /** The processor time of the file as a share of its time. */
  readonly load: number
}

export class TestQueue {
  constructor(files: readonly QueuedTest[], capacity: number)
  take(idle?: number): QueuedTest | undefined
  done(taken: QueuedTest): void
}

/** A line of the list of slow files. */
export interface SlowTest extends QueuedTest {
  /** It runs only with all tests. */
  readonly isNightly: boolean
}

/** Which files run: without the slow ones, with those of each change, or all. */
export type TestRun = 'quick' | 'changes' | 'all'

export function filesOfRun(files: readonly string[], slow: readonly SlowTest[], run: TestRun): QueuedTest[]

export function readSlowTests(text: string): SlowTest[]
