/**
 * The codes of {@link PluginError}, grouped by what the caller was doing. `docs/errors.md` has the cause and the cure
 * of each. A code is stable: renaming one is a breaking change.
 */
export type PluginErrorCode =
  // Start: the environment, the options and the configuration of the plugin.
  | 'MISSING_ENVIRONMENT'
  | 'NO_PLUGIN_NAME'
  | 'INVALID_NAME'
  | 'INVALID_CONFIG'
  | 'INVALID_SHARDS'
  | 'INVALID_STANDBY'
  | 'INVALID_LEASE_TIMES'
  | 'INVALID_ADDRESS'
  | 'CANNOT_LISTEN'
  | 'INVALID_CERTIFICATE'
  // The vcluster process.
  | 'NOT_STARTED_BY_VCLUSTER'
  | 'VCLUSTER_TOO_OLD'
  | 'VCLUSTER_TOO_NEW'
  | 'VCLUSTER_REFUSED'
  | 'INVALID_CONTEXT'
  // The clusters.
  | 'INVALID_KUBECONFIG'
  | 'NO_NAMESPACE'
  | 'UNKNOWN_CLUSTER'
  | 'MISSING_PERMISSIONS'
  // The life of a plugin: init, register, start, stop.
  | 'NOT_INITIALISED'
  | 'ALREADY_INITIALISED'
  | 'NOT_STARTED'
  | 'ALREADY_STARTED'
  | 'INVALID_REGISTRATION'
  | 'DUPLICATE_NAME'
  | 'DESCRIBING'
  | 'LEADERSHIP_LOST'
  | 'STOPPED'
  // Kinds, definitions and manifests.
  | 'UNKNOWN_KIND'
  | 'INVALID_CRD'
  | 'CRD_NOT_ACCEPTED'
  | 'CRD_NOT_SERVED'
  | 'INVALID_MANIFEST'
  | 'INVALID_WEBHOOK'
  // Helm charts.
  | 'INVALID_CHART'
  // Clients and stores.
  | 'INCOMPLETE_KEY'
  | 'INVALID_SELECTOR'
  | 'NOT_LEADER'
  | 'DUPLICATE_INDEX'
  | 'UNKNOWN_INDEX'
  // Syncers and translators.
  | 'NOT_NAMESPACED'
  | 'NOT_CLUSTER_SCOPED'
  | 'INVALID_FIELD'
  | 'INVALID_MAPPING'
  | 'INVALID_RESULT'
  | 'NO_HOST_NAME'
  | 'NOT_A_COPY'
  | 'NOTHING_REMEMBERED'
  // Hooks and interceptors.
  | 'INVALID_HOOK'
  | 'INVALID_RULE'
  | 'INTERCEPTORS_UNSUPPORTED'
  // The test kit and the simulated vcluster.
  | 'NOT_SETTLED'
  | 'INVALID_RESPONSE'
  // The command: create, bundle, manifest and crd.
  | 'UNSUPPORTED_KIND'
  | 'FOLDER_NOT_EMPTY'
  | 'NO_SDK'
  | 'NO_PLUGIN'
  | 'NO_ESBUILD'
  | 'BUNDLE_FAILED'
  | 'NO_BUNDLE'
  | 'NO_RUNTIME'
  | 'NO_DESCRIPTION'
  | 'NO_KINDS'
  | 'INVALID_KIND'
  | 'CRD_DIFFERS'
  // The command: dev and bench.
  | 'PLUGIN_FAILED'
  | 'CANNOT_WRITE'
  | 'NOT_MIRRORED'
  | 'CLUSTER_UNREACHABLE'
  | 'SAME_CLUSTER'
  | 'WOULD_DELETE_COPIES'
  // The command: test, doctor and why.
  | 'NO_TESTS'
  | 'TESTS_FAILED'
  | 'PROBLEMS_FOUND'
  | 'NO_INSPECTOR'
  | 'NO_OBJECT'
