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
export type { MirroredKind } from '../simulator/syncers/mirrored-kind.js'
export type { VClusterVersion } from '../simulator/vcluster-options.js'
export {
  type Registration,
  startVClusterProcess,
  VClusterProcess,
  type VClusterProcessOptions,
} from '../simulator/vcluster-process.js'
export type { CrashPhase, Disturbance } from './scenario/disturbance.js'
export type { ScenarioReport } from './scenario/exhaust.js'
export { exhaustCrashes } from './scenario/exhaust-crashes.js'
export { exhaustLostEvents, exhaustStaleness } from './scenario/exhaust-lag.js'
export { exhaustRefusals } from './scenario/exhaust-refusals.js'
export type { Ground, Site, SiteCluster } from './scenario/ground.js'
export { type PerturbOptions, perturb, replay } from './scenario/perturb.js'
export { type RealClustersOptions, realClusters } from './scenario/real-ground.js'
export type { Clusters, Scenario, Step } from './scenario/scenario.js'
export { type FailedRun, ScenarioFailure } from './scenario/scenario-failure.js'
export { type ClusterStates, type KindState, type SyncTest, syncTest } from './sync-test.js'
export { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'
export { VirtualClock } from './virtual-clock.js'
