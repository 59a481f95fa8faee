import type { AdmissionRequest } from './admission-review.js'
import { ReviewError } from './review-error.js'

/** The kind that a path is for; without a version, it is for every version. */
export interface ReviewedKind {
  readonly group: string
  readonly version?: string
  readonly kind: string
}

/** Throws {@link ReviewError} 400 for a review of another kind, whose objects would be read by the wrong schema. */
export function checkKind({ kind }: AdmissionRequest, expected: ReviewedKind): void {
  const isVersioned = expected.version !== undefined
  const [served, got] = [expected, kind].map((one) => formatKind(one, isVersioned))
  if (served !== got) throw new ReviewError(400, `this path is for ${served}, got ${got}`)
}

const formatKind = ({ group, version, kind }: ReviewedKind, isVersioned: boolean) =>
  [kind, ...(isVersioned ? [version] : []), group].join('.')
