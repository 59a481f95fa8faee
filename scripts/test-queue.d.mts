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

export function readSlowTests(text: string): QueuedTest[]
