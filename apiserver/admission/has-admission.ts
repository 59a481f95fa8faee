import type { ServerParts } from '../server/context.js'
import { hasWebhooks } from './matching/webhook.js'
import { hasPolicies } from './policies/policy.js'

/** Whether any webhook or policy exists; if none does, admission is skipped. */
export function hasAdmission(server: Pick<ServerParts, 'store'>): boolean {
  return hasWebhooks(server) || hasPolicies(server, 'validating') || hasPolicies(server, 'mutating')
}
