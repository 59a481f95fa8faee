import type { Admission, Admitted } from './admission.js'
import { mutate } from './mutate.js'
import { hasPolicies } from './policies/policy.js'
import { validatePolicies } from './policies/validate-policies.js'
import { validate } from './validate.js'

/** Asks the webhooks and policies about a write; undefined if none is about it. Rejects if one denies it. */
export async function askAdmission(asked: Admission): Promise<Admitted | undefined> {
  const mutated = asked.phase === 'Validating' ? undefined : await mutate(asked)
  if (asked.phase === 'Mutating') return mutated
  const wasChecked = hasPolicies(asked.request.server, 'validating') && (await validatePolicies(asked))
  const validated = await validate(asked)
  return mutated ?? validated ?? (wasChecked ? {} : undefined)
}
