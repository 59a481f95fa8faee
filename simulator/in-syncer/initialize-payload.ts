import { type VClusterVersion, vclusterOptions } from '../vcluster-options.js'

/** Parameters of {@link initializePayload}. */
export interface InitializePayloadInput {
  /** The vcluster's name. */
  name: string
  /** The file with the virtual cluster's kubeconfig. */
  virtualKubeconfigFile: string
  /** Kubeconfig text of the virtual cluster through vcluster's own proxy. */
  syncerKubeconfig: string
  /** Kubeconfig text of the host cluster. */
  hostKubeconfig: string
  /** The host namespace of the process. */
  currentNamespace: string
  /** The host namespace of the copies. */
  targetNamespace: string
  /** The plugin's folder. */
  workingDir: string
  /** The port on which the plugin must serve its interceptors. */
  port: number
}

/**
 * The payload of `Initialize` as that version of vcluster sends it: up to 0.19 the options, since 0.20 also the whole
 * configuration, without members that have Go's zero value. See pkg/plugin/v2/config.go @ v0.19.10 and @ v0.36.1.
 */
export function initializePayload(version: VClusterVersion, input: InitializePayloadInput): string {
  return JSON.stringify(version === '0.19' ? payloadOf19(input) : payloadOf36(input))
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

function payloadOf19(input: InitializePayloadInput): object {
  const { hostKubeconfig, syncerKubeconfig, currentNamespace, workingDir } = input
  return {
    pro: {},
    physicalClusterConfig: base64(hostKubeconfig),
    syncerConfig: base64(syncerKubeconfig),
    currentNamespace,
    options: optionsOf('0.19', input),
    workingDir,
  }
}

function payloadOf36(input: InitializePayloadInput): object {
  const { name, currentNamespace, virtualKubeconfigFile: kubeConfig, workingDir, port } = input
  const host = base64(input.hostKubeconfig)
  const config = {
    name,
    hostNamespace: currentNamespace,
    experimental: { syncSettings: { setOwner: true }, virtualClusterKubeConfig: { kubeConfig } },
  }
  return {
    pro: {},
    syncerConfig: base64(input.syncerKubeconfig),
    workloadConfig: host,
    controlPlaneConfig: host,
    config: base64(JSON.stringify(config)),
    workingDir,
    port,
    options: optionsOf('0.36', input),
    currentNamespace,
    physicalClusterConfig: host,
  }
}

function optionsOf(version: VClusterVersion, input: InitializePayloadInput): string {
  const { name, targetNamespace, virtualKubeconfigFile: kubeConfig } = input
  const listenAddress = 'localhost:10099'
  const options = vclusterOptions(version, { name, targetNamespace, plugins: [], listenAddress })
  return base64(JSON.stringify({ ...options, kubeConfig }))
}
