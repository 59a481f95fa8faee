import type { Client } from '../engine/client/client.js'
import { PluginError } from '../engine/kube/error.js'
import type { Logger } from '../engine/observe/logger.js'
import type { Transport } from '../engine/transport/transport.js'

/** A permission of a plugin in the cluster, in the form of a rule of a Role. */
export interface ClusterPermission {
  /** API group; `''` is the core group. */
  readonly group: string
  /** The plural of the kind, with a subresource behind a slash: `clusters`, `clusters/status`. */
  readonly resource: string
  /** The verbs needed: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`. */
  readonly verbs: readonly string[]
  /** One namespace; default all of them. */
  readonly namespace?: string
}

/** Options of {@link LazyClusterClient}. */
export interface LazyClusterClientOptions {
  plugin: string
  permissions: readonly ClusterPermission[]
  env: Readonly<Record<string, string | undefined>>
  logger: Logger
  /** The client of a test. */
  client?: Client | undefined
}

/**
 * The client of the cluster in which a plugin runs. It is opened at its first use, because most plugins do not need it
 * and need not load its code.
 */
export class LazyClusterClient {
  readonly #options: LazyClusterClientOptions
  #transport: Promise<Transport> | undefined

  constructor(options: LazyClusterClientOptions) {
    this.#options = options
  }

  /**
   * The client. Throws `PluginError` `MISSING_PERMISSIONS` for a plugin that declares none, or `INVALID_KUBECONFIG`.
   */
  async client(): Promise<Client> {
    const { plugin, permissions, client } = this.#options
    if (permissions.length === 0)
      throw new PluginError(
        'MISSING_PERMISSIONS',
        `plugin ${plugin} declares no permissions: add them to the options of createCnpgPlugin, so that manifest prints its Role`,
      )
    if (client) return client
    this.#transport ??= this.#open()
    const { createClient } = await import('../engine/client/create-client.js')
    return createClient({ transport: await this.#transport, fieldManager: plugin })
  }

  /** Closes the connections of the client. */
  async close(): Promise<void> {
    const transport = await this.#transport?.catch(() => undefined)
    await transport?.close()
  }

  async #open(): Promise<Transport> {
    const { env, logger } = this.#options
    const { createTransport } = await import('../engine/transport/create-transport.js')
    const { loadDefaultKubeconfig } = await import('../engine/transport/default-kubeconfig.js')
    return createTransport({ kubeconfig: await loadDefaultKubeconfig({ env }), logger, cluster: 'cluster' })
  }
}
