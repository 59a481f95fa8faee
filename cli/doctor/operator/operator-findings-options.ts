import type { Client } from '../../../sdk/client/client.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'

/** The operator that is checked, and its first cluster. */
export interface OperatorFindingsOptions {
  /** The first cluster of the operator. */
  client: Client
  description: OperatorDescription
  now: Date
}
