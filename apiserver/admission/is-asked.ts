import type { ServerParts } from '../server/context.js'
import { hasPolicies } from './policies/policy.js'
import { hasWebhooks } from './webhook.js'

/** Whether there is any webhook or policy; without one, admission costs nothing. */
export function isAsked(server: Pick<ServerParts, 'store'>): boolean {
  return hasWebhooks(server) || hasPolicies(server, 'validating') || hasPolicies(server, 'mutating')
}
