import { type FieldError, invalidValue } from '../validation/field-error.js'
import { type KindRules, recordOf } from './kind-rules.js'

/** https://kubernetes.io/docs/concepts/architecture/leases/ */
export const leaseRules: KindRules = {
  createOnUpdate: true,
  versionedUpdate: true,
  metadataOnUpdate: 'change',
  checksFinalizers: false,
  validate({ spec }) {
    const { leaseDurationSeconds, leaseTransitions } = recordOf(spec)
    const errors: FieldError[] = []
    if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
      errors.push(invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'))
    }
    if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
      const why = 'must be greater than or equal to 0'
      errors.push(invalidValue('spec.leaseTransitions', leaseTransitions, why))
    }
    return errors
  },
}
