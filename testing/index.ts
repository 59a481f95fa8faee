// The test kit's public names, listed by hand.
export { type ApiServer, type ApiServerOptions, createApiServer } from '../apiserver/api-server.js'
export type { FaultAction } from '../apiserver/faults/fault-action.js'
export type { FaultedRequest, FaultMatch } from '../apiserver/faults/fault-match.js'
export type { FaultOptions, FaultRule, Faults } from '../apiserver/faults/faults.js'
export { askHook } from '../simulator/ask-hook.js'
export { inProcessTransport } from '../simulator/in-process-transport.js'
export {
  type EmbeddedVCluster,
  type EmbeddedVClusterOptions,
  startEmbeddedVCluster,
} from '../simulator/in-syncer/embedded-vcluster.js'
export {
  type PluginProgram,
  type PluginProgramOptions,
  startPluginProgram,
} from '../simulator/in-syncer/plugin-program.js'
export {
  type LoadedPlugin,
  programEnvironment,
  type StartedProgram,
  startVClusterWithPlugins,
  VClusterWithPlugins,
  type VClusterWithPluginsOptions,
} from '../simulator/in-syncer/vcluster-with-plugins.js'
export type { MirroredKind } from '../simulator/vcluster-mirror/mirrored-kind.js'
export type { VClusterVersion } from '../simulator/vcluster-options.js'
export {
  type Registration,
  startVClusterProcess,
  VClusterProcess,
  type VClusterProcessOptions,
} from '../simulator/vcluster-process.js'
export { VirtualClock } from './clock/virtual-clock.js'
export { type RealClustersOptions, realClusters } from './environment/real-clusters.js'
export type { Ground, Site, SiteCluster } from './environment/test-environment.js'
export type { ScenarioReport } from './explore/exhaust.js'
export { exhaustCrashes } from './explore/exhaust-crashes.js'
export { exhaustLostEvents, exhaustStaleness } from './explore/exhaust-lag.js'
export { exhaustRefusals } from './explore/exhaust-refusals.js'
export { type PerturbOptions, perturb, replay } from './explore/perturb.js'
export { type FailedRun, ScenarioFailure } from './explore/scenario-failure.js'
export type { CrashPhase, Disturbance } from './faults/injected-fault.js'
export { type ClusterStates, type KindState, type SyncTest, syncTest } from './plugin/sync-test.js'
export { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './plugin/test-plugin.js'
export type { Clusters, Scenario, Step } from './scenario/scenario.js'
