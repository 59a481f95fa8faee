import { ApiError, isInvalid, type StatusDetails } from '../../engine/kube/error.js'

/** A field that an API server refuses, and why. */
type Cause = NonNullable<StatusDetails['causes']>[number]

/** The reasons of causes about immutable fields; causes about other mistakes have them, too. */
const reasons: ReadonlySet<string | undefined> = new Set(['FieldValueInvalid', 'FieldValueForbidden'])

/** The last words of API server messages about immutable fields. The text before them may quote values. */
const messageEnds = [
  'field is immutable',
  'may not change once set',
  'may not be changed in an update.',
  'cannot be changed',
  'cannot change roleRef',
  'is immutable after creation',
]

/**
 * The first words of messages with the reason `FieldValueForbidden` about immutable fields that end with field names or
 * with values.
 */
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
 * Whether an API server refused a change because fields are immutable, and for no other reason. A new object cannot
 * help against the refusal of a field of the metadata, such as the UID, so that is not one.
 *
 * The reason and the field of each cause are checked first. They are not enough: an API server has no reason for
 * immutable fields, and gives `FieldValueInvalid` and `FieldValueForbidden` for other mistakes as well. Only the words
 * of the message tell them apart. See `validation.go` of k8s.io/apimachinery and of the kinds.
 */
export function isImmutable(error: unknown): boolean {
  if (!isInvalid(error) || !(error instanceof ApiError)) return false
  const { causes = [] } = error.status.details ?? {}
  return causes.length > 0 && causes.every(isAboutImmutability)
}

function isAboutImmutability({ reason, field = '', message = '' }: Cause): boolean {
  if (!reasons.has(reason) || /^metadata\b/.test(field)) return false
  if (messageEnds.some((end) => message.endsWith(end))) return true
  return (
    reason === 'FieldValueForbidden' && messageBeginnings.some((beginning) => message.startsWith(beginning))
  )
}
