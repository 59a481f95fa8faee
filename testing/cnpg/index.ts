// The public names of vcluster-plugin-sdk/cnpg/testing: a simulated operator in the process of a test.
export {
  testCnpgOperator,
  type CnpgPluginTarget,
  type TestCnpgOperator,
  type TestCnpgOperatorOptions,
} from './test-operator.js'
export type { PluginAddress, PluginSocket } from './remote-caller.js'
export type { AdmissionRefusal, AdmittedCluster, Reconciliation, Rollout } from './reconciliation.js'
export { testCnpgPlugin } from './test-plugin.js'
