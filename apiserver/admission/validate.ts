import type { AdmissionAttributes, AdmissionResult } from './admission-attributes.js'
import { webhooksOf } from './matching/webhook.js'
import { callWebhook } from './webhooks/call-webhook.js'

/**
 * Calls all validating webhooks at once. Resolves with undefined if none matches the request. Rejects with the error of
 * the first that denies it.
 */
export async function validate(attributes: AdmissionAttributes): Promise<AdmissionResult | undefined> {
  const webhooks = webhooksOf(attributes.request.server, 'Validating')
  const results = await Promise.allSettled(
    webhooks.map((webhook) => callWebhook(webhook, 'Validating', attributes)),
  )
  const denied = results.find((result) => result.status === 'rejected')
  if (denied !== undefined) throw denied.reason
  const hasMatched = results.some((result) => result.status === 'fulfilled' && result.value !== undefined)
  return hasMatched ? {} : undefined
}
