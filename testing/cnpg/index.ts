// The public names of vcluster-plugin-sdk/cnpg/testing: a simulated operator in the process of a test.
export { testCnpgOperator, type TestCnpgOperator } from './test-operator.js'
export type { AdmissionRefusal, AdmittedCluster, Reconciliation, Rollout } from './reconciliation.js'
export { testCnpgPlugin } from './test-plugin.js'
