// The public names of the test kit, listed by hand, in the order in which a reader needs them.

// The first names: a plugin or an operator on embedded clusters, and a scenario that runs with a fault at every place.
export { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './plugin/test-plugin.js'
export { syncTest } from './plugin/sync-test.js'
export { type RegisterControllers, type TestOperator, testOperator } from './operator/test-operator.js'
export { exhaust } from './explore/exhaust.js'
export { perturb } from './explore/perturb.js'
export { replay } from './explore/replay.js'
export type { Scenario } from './scenario/scenario.js'
export { operatorScenario } from './scenario/operator-scenario.js'
export { VirtualClock } from './clock/virtual-clock.js'
export { createApiServer } from '../apiserver/api-server.js'

// More about a test of a plugin or an operator.
export type { SyncTest } from './plugin/sync-test.js'
export type { ClusterStates, KindState } from './compare/cluster-state.js'
export type { TestOperatorOptions, TestWebhookOptions } from './operator/test-operator.js'

// More about scenarios: crashes, old and lost watch events, refused calls, and the report.
export type { ScenarioClusters, ScenarioStep } from './scenario/scenario.js'
export type {
  OperatorClusters,
  OperatorScenario,
  OperatorScenarioOptions,
  OperatorStep,
} from './scenario/operator-scenario.js'
export type { ExhaustOptions } from './explore/exhaust.js'
export type { ExplorationPart } from './explore/part.js'
export type { OperatorFault, ScenarioFault } from './explore/scenario-faults.js'
export type { PerturbOptions } from './explore/perturb.js'
export type { AnyScenario } from './scenario/run-scenario.js'
export type { ScenarioReport } from './explore/scenario-report.js'
export { type FailedRun, ScenarioFailure } from './explore/scenario-failure.js'
export type {
  CrashPhase,
  FaultedWatches,
  FlipPhase,
  HandoverPhase,
  InjectedFault,
} from './faults/injected-fault.js'

// The clusters that a scenario runs on, if not embedded ones.
export {
  type RealClustersOptions,
  type RealOperatorClustersOptions,
  realClusters,
  realOperatorClusters,
} from './environment/real-clusters.js'
export type {
  ClusterPair,
  OperatorEnvironment,
  OperatorRun,
  RunClusters,
  TestCluster,
  TestEnvironment,
} from './environment/test-environment.js'

// The embedded API server and its faults.
export type { ApiServer, KubeconfigUserOptions, ListenOptions } from '../apiserver/api-server.js'
export type { Intercept } from '../apiserver/listeners/https-listener.js'
export type { ApiServerOptions } from '../apiserver/server/options.js'
export type { Snapshot } from '../apiserver/snapshot.js'
export type { ServerClock } from '../apiserver/base/clock.js'
export type { ApiRequest, ApiResponse, UserInfo } from '../apiserver/request/request.js'
export type { Verb } from '../apiserver/request/verb.js'
export type {
  CoalesceEventsFault,
  CutWatchFault,
  DelayEventsFault,
  DelayFault,
  DuplicateEventsFault,
  FaultAction,
  ResetFault,
  ResetWatchFault,
  StaleFault,
  StallWatchFault,
  StatusFault,
} from '../apiserver/faults/fault-action.js'
export type { FaultedRequest, FaultMatch } from '../apiserver/faults/fault-match.js'
export type { FaultOptions, FaultRule, Faults } from '../apiserver/faults/faults.js'
export { inProcessTransport } from '../simulator/in-process-transport.js'
export type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
  Chunks,
  TakeChunk,
  TransportUpgrade,
} from '../sdk/engine/transport/transport.js'
export type { CancelToken } from '../sdk/engine/time/cancellation.js'
export type { Impersonation } from '../sdk/engine/transport/kubeconfig.js'

// A simulated vcluster process, for plugins that run in a process of their own.
export { startVClusterProcess, type VClusterProcess } from '../simulator/vcluster-process.js'
export type { Registration, VClusterProcessOptions } from '../simulator/vcluster-process-options.js'
export type { VClusterVersion } from '../simulator/vcluster-options.js'
export type { SyncedKind } from '../simulator/syncers/synced-kind.js'
export { callHook } from '../simulator/call-hook.js'
export type { HookedKind, MutateRequest, MutateResult } from '../simulator/hook-call.js'

// A simulated vcluster that starts plugin programs in its container.
export {
  type EmbeddedVCluster,
  type EmbeddedVClusterOptions,
  startEmbeddedVCluster,
} from '../simulator/in-syncer/embedded-vcluster.js'
export {
  startVClusterWithPlugins,
  type VClusterWithPlugins,
} from '../simulator/in-syncer/vcluster-with-plugins.js'
export type {
  StartedProgram,
  VClusterWithPluginsOptions,
} from '../simulator/in-syncer/vcluster-with-plugins-options.js'
export { programEnvironment } from '../simulator/in-syncer/start-program.js'
export type { LoadedPlugin } from '../simulator/in-syncer/load-plugin.js'
export { type PluginProgramOptions, startPluginProgram } from '../simulator/in-syncer/plugin-program.js'
export type { PluginProgram } from '../simulator/in-syncer/connected-program.js'
