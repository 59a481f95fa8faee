import type { Admission, Admitted } from './admission.js'
import { callWebhook } from './call-webhook.js'
import { webhooksOf } from './webhook.js'

/** Asks all validating webhooks at once. Rejects with the error of the first that denies the request. */
export async function validate(asked: Admission): Promise<Admitted | undefined> {
  const webhooks = webhooksOf(asked.request.server, 'Validating')
  const answers = await Promise.allSettled(
    webhooks.map((webhook) => callWebhook(webhook, 'Validating', asked)),
  )
  const refused = answers.find((answer) => answer.status === 'rejected')
  if (refused !== undefined) throw refused.reason
  const wasAsked = answers.some((answer) => answer.status === 'fulfilled' && answer.value !== undefined)
  return wasAsked ? {} : undefined
}
