/** Parameters of {@link vclusterOptions}. */
export interface VClusterOptionsInput {
  /** The vcluster's name. */
  name: string
  /** The host namespace of the copies. */
  targetNamespace: string
  /** The sidecar plugins that the process waits for. */
  plugins: readonly string[]
  /** The address, `host:port`, on which the process listens for plugins. */
  listenAddress: string
}

/** The versions of vcluster that can be simulated. */
export type VClusterVersion = '0.19' | '0.36'

/**
 * The options as that version of vcluster sends them, with the keys in its order. Since 0.29 they have no target
 * namespace; up to 0.19 they have the Go-cased keys of deprecated flags.
 *
 * See pkg/options/options.go @ v0.19.10 and config/legacyconfig/options.go @ v0.36.1 of vcluster.
 */
export function vclusterOptions(
  version: VClusterVersion,
  input: VClusterOptionsInput,
): Record<string, unknown> {
  return version === '0.19' ? optionsOf19(input) : optionsOf36(input)
}

function optionsOf36({ name, plugins, listenAddress }: VClusterOptionsInput): Record<string, unknown> {
  return {
    ProOptions: { etcdReplicas: 1 },
    serverCaCert: '/data/pki/ca.crt',
    serverCaKey: '/data/pki/ca.key',
    requestHeaderCaCert: '/data/pki/front-proxy-ca.crt',
    clientCaCert: '/data/pki/ca.crt',
    kubeConfig: '/data/pki/admin.conf',
    bindAddress: '0.0.0.0',
    port: 8443,
    name,
    serviceName: name,
    setOwner: true,
    disableFakeKubelets: true,
    enforceNodeSelector: true,
    serviceAccount: `vc-workload-${name}`,
    clusterDomain: 'cluster.local',
    pluginListenAddress: listenAddress,
    ...(plugins.length > 0 && { plugins }),
    hostMetricsBindAddress: '0',
    virtualMetricsBindAddress: '0',
    syncAllConfigMaps: true,
    syncNodeChanges: false,
  }
}

function optionsOf19({
  name,
  targetNamespace,
  plugins,
  listenAddress,
}: VClusterOptionsInput): Record<string, unknown> {
  return {
    ...serverOptions19,
    name,
    targetNamespace,
    serviceName: name,
    setOwner: true,
    fakeKubeletIPs: true,
    enforceNodeSelector: true,
    serviceAccount: `vc-workload-${name}`,
    overrideHostsContainerImage: 'library/alpine:3.13.1',
    clusterDomain: 'cluster.local',
    // In seconds.
    leaseDuration: 60,
    renewDeadline: 40,
    retryPeriod: 15,
    pluginListenAddress: listenAddress,
    ...(plugins.length > 0 && { plugins }),
    hostMetricsBindAddress: '0',
    virtualMetricsBindAddress: '0',
    syncAllConfigMaps: true,
    ...deprecatedOptions,
  }
}

/** The options of the API server of a vcluster 0.19, which are the same for each. */
const serverOptions19 = {
  ProOptions: { enforceValidatingHooks: null, enforceMutatingHooks: null },
  controllers: ['-configmaps'],
  serverCaCert: '/data/server/tls/server-ca.crt',
  serverCaKey: '/data/server/tls/server-ca.key',
  requestHeaderCaCert: '/data/server/tls/request-header-ca.crt',
  clientCaCert: '/data/server/tls/client-ca.crt',
  kubeConfig: '/data/server/cred/admin.kubeconfig',
  bindAddress: '0.0.0.0',
  port: 8443,
}

/** The options of deprecated flags, with their empty values. */
const deprecatedOptions = {
  VirtualLogsPath: '',
  VirtualPodLogsPath: '',
  VirtualContainerLogsPath: '',
  VirtualKubeletPodPath: '',
  syncNodeChanges: false,
  DeprecatedDisableSyncResources: '',
  DeprecatedOwningStatefulSet: '',
  DeprecatedUseFakeNodes: false,
  DeprecatedUseFakePersistentVolumes: false,
  DeprecatedEnableStorageClasses: false,
  DeprecatedEnablePriorityClasses: false,
  DeprecatedSuffix: '',
  DeprecatedUseFakeKubelets: false,
}
