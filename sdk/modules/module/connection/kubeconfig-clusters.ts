/**
 * The clusters of Workspaces with a kubeconfig. The kubeconfig is read before each call, so that a rotated one is used
 * at once; its connections are kept as long as the Secret is the same.
 */
import { concatMap, filter, ignoreElements, type Observable } from 'rxjs'
import type { Client } from '../../../engine/client/client.js'
import { clientThrough } from '../../../engine/client/create-client.js'
import { discoverKinds } from '../../../engine/client/discover-kinds.js'
import { discoverApiVersions, discoverVersion } from '../../../engine/client/discover-server.js'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { secrets } from '../../../engine/kube/builtin.js'
import { isNotFound } from '../../../engine/kube/error.js'
import { fewNames } from '../../../engine/kube/few-names.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { Change } from '../../../engine/store/store.js'
import { createTransport } from '../../../engine/transport/create-transport.js'
import type { Kubeconfig } from '../../../engine/transport/kubeconfig.js'
import { loadKubeconfig } from '../../../engine/transport/load-kubeconfig.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { formatUserAgent } from '../../../engine/transport/user-agent.js'
import type { Workspace } from '../../kinds/workspace.js'
import { checkManagedNamespace } from '../../managed/namespace.js'
import { connectionOf } from '../../managed/place.js'
import { UnusableKubeconfigError } from '../../managed/unusable-kubeconfig-error.js'
import { type KubeconfigOptions, kubeconfigAddresses } from './kubeconfig-addresses.js'

/** A cluster that a manager works in, and the client for it. */
export interface ManagerCluster {
  readonly cluster: Pick<Cluster, 'name' | 'namespace' | 'served' | 'version' | 'apiVersions'>
  readonly client: Client
}

/** The client of one run for the cluster that holds the Workspace. */
export interface HomeCalls {
  /** A client of the cluster that holds the Workspace. Calls to its own cluster pass the same write gate. */
  readonly client: Client
  readonly signal: AbortSignal
}

/** The connection to the cluster of one Workspace. */
interface Connection {
  /** Identifies the Workspace, and the state of the Secret that the kubeconfig was read from. */
  readonly revision: string
  readonly transport: Transport
  readonly cluster: ManagerCluster['cluster']
  /** Whether the API server has answered. */
  isChecked: boolean
}

/**
 * The maximum size of an answer of an API server that a user chooses, in bytes. A Secret or ConfigMap has at most about
 * 1.5 MiB, lists request smaller pages, and parsing an answer takes about a second at most.
 */
const maxAnswerBytes = 8 * 2 ** 20
/** The maximum size of all pages of a list, in bytes. */
const maxListBytes = 64 * 2 ** 20

const clusterPrefix = 'workspace:'

/** The name of the cluster of a Workspace with a kubeconfig, as it is in frozen definitions. */
export const kubeconfigCluster = (workspace: Workspace['metadata']): string =>
  `${clusterPrefix}${workspace.namespace}/${workspace.name}`

/** Whether a name of a cluster is one of {@link kubeconfigCluster}. */
export const isKubeconfigCluster = (name: string | undefined): boolean =>
  name?.startsWith(clusterPrefix) ?? false

/** Opens the clusters of Workspaces with a kubeconfig. */
export class KubeconfigClusters {
  /** By the key of the Workspace. */
  readonly #connections = new Map<string, Connection>()
  readonly #open: (kubeconfig: Kubeconfig) => Transport

  /** `open` replaces the default transport, which connects to the addresses that the options allow. */
  constructor(options: KubeconfigOptions = {}, open?: (kubeconfig: Kubeconfig) => Transport) {
    const allowsAddress = kubeconfigAddresses(options)
    const userAgent = formatUserAgent('modules')
    const transportOptions = { userAgent, allowsAddress, maxAnswerBytes }
    this.#open = open ?? ((kubeconfig) => createTransport({ kubeconfig, ...transportOptions }))
  }

  /** The cluster of a Workspace. Rejects if its kubeconfig is missing or unreadable, or refers to files or programs. */
  async open(workspace: Workspace, calls: HomeCalls): Promise<ManagerCluster> {
    const { transport, cluster } = await this.#connect(workspace, calls)
    return { cluster, client: clientThrough(calls.client, { transport, maxListBytes }) }
  }

  /** Rejects unless the API server answers. A connection that has answered is not asked again. */
  async check(workspace: Workspace, calls: HomeCalls): Promise<void> {
    const connection = await this.#connect(workspace, calls)
    if (connection.isChecked && workspace.status?.phase !== 'failed') return
    await discoverVersion(connection.transport)
    connection.isChecked = true
  }

  /** Closes the connections of a deleted Workspace. */
  async forget(workspace: Key): Promise<void> {
    const name = formatKey(workspace)
    const connection = this.#connections.get(name)
    this.#connections.delete(name)
    await connection?.transport.close()
  }

  /**
   * Closes the connections of Workspaces as they are deleted. Each replica that has connections subscribes, because it
   * may run Modules of a Workspace that another replica runs.
   */
  forgetDeleted(change$: Observable<Pick<Change, 'key' | 'gone'>>): Observable<never> {
    return change$.pipe(
      filter(({ gone }) => gone),
      concatMap(({ key }) => this.forget(key).catch(() => undefined)),
      ignoreElements(),
    )
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const all = [...this.#connections.values()]
    this.#connections.clear()
    await Promise.all(all.map(({ transport }) => transport.close()))
  }

  /** The connection by the current Secret; an earlier one is closed if the Secret has changed. */
  async #connect(workspace: Workspace, calls: HomeCalls): Promise<Connection> {
    const name = formatKey(keyOf(workspace))
    const { revision, text, source } = await readSecret(workspace, calls)
    const existing = this.#connections.get(name)
    if (existing?.revision === revision) return existing
    const kubeconfig = await loadKubeconfig({ text, source })
    checkSelfContained(kubeconfig)
    const openedMeanwhile = this.#connections.get(name)
    if (openedMeanwhile?.revision === revision) return openedMeanwhile
    const transport = this.#open(kubeconfig)
    const cluster = {
      name: kubeconfigCluster(workspace.metadata),
      served: (apiVersion: string) => discoverKinds(transport, apiVersion),
      version: () => discoverVersion(transport),
      apiVersions: () => discoverApiVersions(transport),
    }
    const connection = { revision, transport, cluster, isChecked: false }
    this.#connections.set(name, connection)
    await openedMeanwhile?.transport.close()
    return connection
  }
}

/** Reads the kubeconfig of a Workspace, with its place for messages. */
async function readSecret(workspace: Workspace, { client, signal }: HomeCalls) {
  const { spec, metadata } = workspace
  if (spec.type === 'managed') await checkManagedNamespace(workspace, { client, signal })
  const { secretReference } = connectionOf(workspace)
  if (!secretReference)
    throw new UnusableKubeconfigError(
      `Workspace ${metadata.namespace}/${metadata.name}: connection kubeconfig needs a secretReference`,
    )
  const { name, namespace, key } = secretReference
  const source = `Secret ${formatKey({ namespace, name })}, key ${key},`
  const secret = await client.get(secrets, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new UnusableKubeconfigError(
      `Secret ${formatKey({ namespace, name })} with the kubeconfig does not exist; create it`,
    )
  })
  const { uid = '', resourceVersion = '' } = secret.metadata
  const data = secret.data ?? {}
  if (!Object.hasOwn(data, key)) {
    const keys = fewNames(Object.keys(data).sort())
    throw new UnusableKubeconfigError(`${source} with the kubeconfig does not exist; it has: ${keys}`)
  }
  const text = Buffer.from(data[key] ?? '', 'base64').toString('utf8')
  return { revision: `${metadata.uid} ${uid} ${resourceVersion} ${key}`, text, source }
}

/** Throws for a kubeconfig that would run programs or read files of the operator. */
function checkSelfContained({ source, server, proxyUrl, caFile, user }: Kubeconfig): void {
  const { exec, authProvider, tokenFile, certFile, keyFile } = user
  const refused = [
    [exec, 'a program (exec)'],
    [authProvider, 'a program (auth-provider)'],
    [caFile ?? tokenFile ?? certFile ?? keyFile, 'a file'],
  ] as const
  for (const [value, description] of refused)
    if (value !== undefined)
      throw new UnusableKubeconfigError(
        `${source} names ${description}, which would be one of the operator; put the credentials into it: token, ` +
          'client-certificate-data and client-key-data, certificate-authority-data',
      )
  // The operator reaches servers that users do not, such as that of the metadata of its node, and most of these speak
  // no TLS.
  if (!server.startsWith('https:'))
    throw new UnusableKubeconfigError(`${source} names a server without TLS; use an https: URL`)
  if (proxyUrl !== undefined)
    throw new UnusableKubeconfigError(`${source} names a proxy; connect to the API server without proxy-url`)
}
