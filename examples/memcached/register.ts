import type { Operator } from 'vcluster-plugin-sdk/operator'
import { backupController } from './backup-controller.js'

/** Registers the controllers of this operator. */
export function register(operator: Operator): void {
  operator.register(backupController)
}
