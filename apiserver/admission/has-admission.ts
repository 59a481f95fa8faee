import type { ServerParts } from '../server/context.js'
import { hasWebhooks } from './matching/webhook.js'
import { hasPolicies } from './policies/policy.js'

/** Whether there is any webhook or policy; without one, admission costs nothing. */
export function hasAdmission(server: Pick<ServerParts, 'store'>): boolean {
  return hasWebhooks(server) || hasPolicies(server, 'validating') || hasPolicies(server, 'mutating')
}
