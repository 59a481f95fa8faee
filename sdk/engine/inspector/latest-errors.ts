import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import { errorId } from '../observe/error-fold.js'
import { type ErrorReport, errorReport } from '../observe/error-report.js'
import type { ErrorView } from './model.js'
import { errorText } from './redact.js'

/** Distinct errors of one syncer that are remembered. */
const maxErrors = 20

/** The errors that the runs of a syncer ended in lately; one that comes again is counted. */
export class LatestErrors {
  readonly #errors = new Map<string, ErrorView>()

  add(report: ErrorReport, { key, atMs }: { key: Key; atMs: number }): void {
    const id = errorId(report)
    const { message, frames } = report
    const times = (this.#errors.get(id)?.times ?? 0) + 1
    this.#errors.delete(id)
    this.#errors.set(id, { atMs, ...key, message, ...(frames.length > 0 && { frames }), times })
    const [oldest] = this.#errors.keys()
    if (this.#errors.size > maxErrors && oldest !== undefined) this.#errors.delete(oldest)
  }

  /** The latest first. */
  get all(): ErrorView[] {
    return [...this.#errors.values()].reverse()
  }
}

/** An error as it may be shown: of a Secret its words are left out, its place in the code is not. */
export function shownError(resource: Pick<Resource, 'group' | 'kind'>, error: unknown): ErrorReport {
  return { message: errorText(resource, error), frames: errorReport(error).frames }
}

/** An error in one sentence, with the place where it comes from. */
export function errorWithFrame({ message, frames: [place] }: ErrorReport): string {
  return place === undefined ? message : `${message} at ${place}`
}
