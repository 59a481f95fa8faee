import type { Client } from '../../../sdk/engine/client/client.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'

/** The operator that is checked, and one of its clusters. */
export interface OperatorFindingsOptions {
  client: Client
  /** The name of the cluster. */
  cluster: string
  description: OperatorDescription
  now: Date
}
