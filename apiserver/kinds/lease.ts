import { type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'

/** Drops the fields of coordinated leader election, whose feature gate is off; https://kep.k8s.io/4355 */
function dropElection(object: OpenObject): undefined {
  if (object.spec === undefined) return
  const { strategy: _strategy, preferredHolder: _holder, ...spec } = recordOf(object.spec)
  object.spec = spec
}

/** https://kubernetes.io/docs/concepts/architecture/leases/ */
export const leaseRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
    checksFinalizers: false,
  },
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
  create: {
    prepare: dropElection,
  },
  update: {
    allowsCreate: true,
    needsVersion: true,
    prepare: dropElection,
  },
}
