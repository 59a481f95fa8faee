import { ApiError, isInvalid } from '../../engine/kube/error.js'

/** The ends of what API servers say about fields that cannot change. The text before may quote values. */
const ends = [
  'field is immutable',
  'may not change once set',
  'cannot be changed',
  'is immutable after creation',
]

/** The beginning for the spec of a StatefulSet, whose other fields are listed in the text. */
const forbidden = 'Forbidden: updates to statefulset spec for fields other than '

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
  return ends.some((end) => message.endsWith(end)) || message.startsWith(forbidden)
}
