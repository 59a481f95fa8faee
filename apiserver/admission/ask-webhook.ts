import { badRequest } from '../request/status.js'
import { whenConverted } from '../resources/converter.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import type { Admission } from './admission.js'
import { CallFailure } from './call-failure.js'
import { internal } from './internal-error.js'
import { conditionsHold } from './match-conditions.js'
import { matchedResource } from './matching.js'
import { postReview } from './post-review.js'
import { type AdmissionResponse, denial, readResponse } from './response.js'
import { admissionRequest } from './review.js'
import type { Webhook, WebhookType } from './webhook.js'
import { addressOf } from './webhook-address.js'

/** The answer of a webhook that allows a request. */
export interface Allowed {
  readonly response: AdmissionResponse
  /** The resource in whose version the webhook got the objects. */
  readonly matched: ServedResource
}

/**
 * Asks a webhook. Undefined if it is not concerned, or if it fails and its failure policy is `Ignore`. Rejects if it
 * denies the request, or fails.
 */
export async function askWebhook(
  webhook: Webhook,
  type: WebhookType,
  asked: Admission,
): Promise<Allowed | undefined> {
  const matched = matchedResource(webhook, asked)
  if (matched === undefined) return undefined
  const sent = await whenConverted(() => admissionRequest(asked, matched))
  if (!conditionsHold(webhook, sent, asked)) return undefined
  checkDryRun(webhook, asked)
  try {
    const review = await call(webhook, { server: asked.request.server, sent })
    const response = readResponse(webhook, { uid: sent.uid, type, review })
    asked.request.warnings.push(...response.warnings)
    if (!response.allowed) throw denial(webhook, response.status)
    return { response, matched }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy === 'Ignore') return undefined
    throw internal(error.message)
  }
}

function checkDryRun({ name, sideEffects }: Webhook, { dryRun }: Admission): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return
  throw badRequest(`admission webhook "${name}" does not support dry run`)
}

async function call(
  webhook: Webhook,
  { server, sent }: { readonly server: ServerParts; readonly sent: object },
): Promise<unknown> {
  const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: sent }
  try {
    return await postReview({
      ...addressOf(webhook.clientConfig, server),
      timeoutSeconds: webhook.timeoutSeconds,
      closing: server.closing,
      review,
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CallFailure(webhook.name, `failed to call webhook: ${why}`)
  }
}
