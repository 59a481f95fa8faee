import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'

/**
 * The service account of an operator. With webhooks it is the one whose requests they skip, because with another one
 * the operator would wait for its own webhooks.
 */
export function serviceAccountOf({ name, webhooks }: OperatorDescription): string {
  return webhooks?.serviceAccount ?? name
}
