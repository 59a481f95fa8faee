import { ownOldGenerationLimit } from '../../observe/heap-limit.js'
import { maxObjectValues } from '../review/object-values.js'
import { ReviewError } from '../review/review-error.js'

/** The limits of the bodies that a path takes. */
export interface BodyLimits {
  /** The maximum size, in bytes. */
  readonly bytes: number
  /** The maximum number of values. */
  readonly values: number
  /** The advice of the error about a larger body. */
  readonly cure: string
}

const mebibyte = 1024 * 1024

/**
 * Of an AdmissionReview, which may hold an object and its predecessor: 7 MiB, as in controller-runtime, and twice the
 * values that an object may have, besides those of the review itself.
 */
export const admissionLimits: BodyLimits = {
  bytes: 7 * mebibyte,
  values: 2 * maxObjectValues + 1_000,
  cure: 'store less in one object',
}

/** The most bytes of memory that one value of a body takes while it is converted and answered. */
const bytesPerValue = 400
/** The most bytes of memory that one byte of a body takes until it is answered, if it has few values. */
const bytesPerByte = 12

/**
 * Of a ConversionReview. A list comes as one review, and an object that is refused makes all lists and watches of a
 * version fail. So only the memory of the program bounds it, because any program of the cluster can call a webhook:
 * `heapBytes` is the size to which the old generation of its heap may grow.
 */
export function conversionLimitsFor(heapBytes: number): BodyLimits {
  const within = (least: number, wanted: number, most: number) =>
    Math.floor(Math.max(least, Math.min(most, wanted)))
  return {
    bytes: within(7 * mebibyte, heapBytes / bytesPerByte, 32 * mebibyte),
    values: within(maxObjectValues, heapBytes / bytesPerValue, 2_000_000),
    cure: 'list fewer objects at a time, such as with kubectl get --chunk-size=100, or give the operator more memory',
  }
}

/** {@link conversionLimitsFor} this process. */
export const conversionLimits: BodyLimits = conversionLimitsFor(
  ownOldGenerationLimit(process.constrainedMemory() || Number.POSITIVE_INFINITY),
)

export const tooManyValuesError = ({ values, cure }: BodyLimits) =>
  new ReviewError(413, `the review has more than ${values} values; ${cure}`)

export const tooLargeError = ({ bytes, cure }: BodyLimits) =>
  new ReviewError(413, `the body is larger than ${bytes} bytes; ${cure}`)
