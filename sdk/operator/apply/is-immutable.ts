import { ApiError, isInvalid } from '../../engine/kube/error.js'

/** The last words of API server messages about immutable fields. The text before them may quote values. */
const messageEnds = [
  'field is immutable',
  'may not change once set',
  'may not be changed in an update.',
  'cannot be changed',
  'cannot change roleRef',
  'is immutable after creation',
]

/** The first words of API server messages about immutable fields that end with field names or with values. */
const messageBeginnings = [
  'Forbidden: updates to statefulset spec for fields other than ',
  'Forbidden: pod updates may not change fields other than ',
  'Forbidden: spec is immutable after creation except ',
  'Forbidden: spec.persistentvolumesource is immutable after creation',
  'Forbidden: field is immutable when `immutable` is set',
  'Forbidden: updates to parameters are forbidden.',
  'Forbidden: updates to provisioner are forbidden.',
  'Forbidden: updates to reclaimPolicy are forbidden.',
]

/**
 * Whether an API server refused a change because fields are immutable, and for no other reason. See `validation.go` of
 * k8s.io/apimachinery and of the kinds.
 */
export function isImmutable(error: unknown): boolean {
  if (!isInvalid(error) || !(error instanceof ApiError)) return false
  const { causes = [] } = error.status.details ?? {}
  return causes.length > 0 && causes.every(({ message = '' }) => isAboutImmutability(message))
}

function isAboutImmutability(message: string): boolean {
  return (
    messageEnds.some((end) => message.endsWith(end)) ||
    messageBeginnings.some((beginning) => message.startsWith(beginning))
  )
}
