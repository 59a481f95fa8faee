import type { AdmissionAttributes, AdmissionResult } from './admission-attributes.js'
import { mutate } from './mutate.js'
import { hasPolicies } from './policies/policy.js'
import { validatePolicies } from './policies/validate-policies.js'
import { validate } from './validate.js'

/**
 * Calls the webhooks and policies that match a write, the mutating ones first. Resolves with undefined if none matches.
 * Rejects if one denies the write.
 */
export async function runAdmission(attributes: AdmissionAttributes): Promise<AdmissionResult | undefined> {
  const mutated = attributes.phase === 'Validating' ? undefined : await mutate(attributes)
  if (attributes.phase === 'Mutating') return mutated
  const hasMatched =
    hasPolicies(attributes.request.server, 'validating') && (await validatePolicies(attributes))
  const validated = await validate(attributes)
  return mutated ?? validated ?? (hasMatched ? {} : undefined)
}
