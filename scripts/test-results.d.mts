/** How a process with test files ended. */
export interface EndedProcess {
  readonly files: readonly string[]
  /** In the format TAP. */
  readonly output: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly ms?: number
  readonly processorMs?: number
}

export interface FileResult {
  readonly file: string
  readonly isOk: boolean
  /** The failure of its process; empty if that ended after the file. */
  readonly ending: Readonly<Record<string, unknown>>
  /** Lines of a subtest. */
  readonly body: readonly string[]
  readonly ms?: number
  readonly processorMs?: number
}

export function resultsOf(ended: EndedProcess): FileResult[]

export function asSubtest(result: FileResult, number: number): string
