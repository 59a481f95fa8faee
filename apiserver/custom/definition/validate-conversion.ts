import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import { type FieldError, forbiddenValue, required, unsupported } from '../../validation/field-error.js'
import { reviewVersionErrors, reviewVersions } from '../../validation/review-versions.js'
import { webhookAddressErrors } from '../../validation/webhook-address.js'

const strategies = ['None', 'Webhook']
const onlyForWebhooks = 'should not be set when strategy is not set to Webhook'

/** The errors of the conversion between the versions of a definition, with the paths of Go's internal type. */
export function validateConversion(definition: OpenObject, old: OpenObject | undefined): FieldError[] {
  const strategy = String(fieldAt(definition, 'spec', 'conversion', 'strategy') ?? '')
  const webhook = recordOf(fieldAt(definition, 'spec', 'conversion', 'webhook'))
  const errors = strategy === 'Webhook' ? webhookErrors(webhook, knewNone(old)) : unusedErrors(webhook)
  return [...strategyErrors(strategy), ...errors]
}

const clientPath = 'spec.conversion.webhookClientConfig'
const versionsPath = 'spec.conversion.conversionReviewVersions'

function strategyErrors(strategy: string): FieldError[] {
  if (strategy === '') return [required('spec.conversion.strategy', '')]
  if (strategies.includes(strategy)) return []
  return [unsupported('spec.conversion.strategy', JSON.stringify(strategy), strategies)]
}

type Webhook = ReturnType<typeof recordOf>

function webhookErrors(
  { clientConfig, conversionReviewVersions }: Webhook,
  hadUnknown: boolean,
): FieldError[] {
  const clientErrors =
    (clientConfig ?? undefined) === undefined
      ? [required(clientPath, 'required when strategy is set to Webhook')]
      : webhookAddressErrors(clientPath, clientConfig)
  const versionErrors = reviewVersionErrors(versionsPath, conversionReviewVersions, {
    needsKnown: !hadUnknown,
  })
  return [...clientErrors, ...versionErrors]
}

function unusedErrors({ clientConfig, conversionReviewVersions }: Webhook): FieldError[] {
  const hasVersions = Array.isArray(conversionReviewVersions) && conversionReviewVersions.length > 0
  return [
    ...((clientConfig ?? undefined) === undefined ? [] : [forbiddenValue(clientPath, onlyForWebhooks)]),
    ...(hasVersions ? [forbiddenValue(versionsPath, onlyForWebhooks)] : []),
  ]
}

/** Whether the stored definition has only versions that no server knows: then it may keep such ones. */
function knewNone(old: OpenObject | undefined): boolean {
  const versions = fieldAt(old ?? {}, 'spec', 'conversion', 'webhook', 'conversionReviewVersions')
  if (!Array.isArray(versions) || versions.length === 0) return false
  return !versions.some((version) => reviewVersions.includes(String(version)))
}
