import type { Operator } from 'vcluster-plugin-sdk/operator'
import { bucketController } from './bucket-controller.js'
import type { Cloud } from './cloud.js'

/** Registers the controllers of this operator. */
export function register(operator: Operator, cloud: Cloud): void {
  operator.register(bucketController(cloud))
}
