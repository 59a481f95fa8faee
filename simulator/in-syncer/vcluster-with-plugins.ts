/**
 * A simulated vcluster process as the plugins inside its container see it. It starts their programs, sends them the
 * configuration of both clusters, reads their hooks and interceptors, and then tells them that it is the leader.
 *
 * It promises the order, payloads, errors and proxy of a real process, and go-plugin's handshake, without Go. As the
 * leader it runs the simulated syncers, which call the plugins' hooks. It does not create the two clusters. See
 * pkg/plugin/v2/plugin.go @ v0.19.10 and @ v0.36.1 of vcluster.
 */
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { RuleTable } from '../../sdk/vcluster/hook/rule-table.js'
import type { HookedKind, MutateRequest } from '../hook-call.js'
import type { HookedPlugin } from '../syncers/plugin-hooks.js'
import { ProcessSyncers } from '../syncers/process-syncers.js'
import type { PluginProgram } from './connected-program.js'
import { intercept, type ProxiedRequest, type Route } from './intercept.js'
import { type LoadedPlugin, loadPlugin } from './load-plugin.js'
import { folderOf, startProgram } from './start-program.js'
import { startVClusterProxy } from './vcluster-proxy.js'
import type { VClusterWithPluginsOptions } from './vcluster-with-plugins-options.js'

/** The parts of a {@link VClusterWithPlugins} that are not plugins. */
interface VClusterParts {
  /** The URL of its proxy. */
  url: string
  close: () => Promise<void>
  syncers: ProcessSyncers
  rules: RuleTable<Route>
}

/**
 * A simulated vcluster process; made by {@link startVClusterWithPlugins}.
 *
 * @example
 * ```ts
 * const { vcluster, stop } = await startEmbeddedVCluster({ programs: ['dist/my-plugin/plugin'] })
 * for (const { name, clientHooks } of vcluster.plugins) console.log(name, clientHooks)
 * console.log(await (await fetch(`${vcluster.url}/version`)).text())
 * await stop()
 * ```
 */
export interface VClusterWithPlugins {
  readonly plugins: readonly LoadedPlugin[]
  /** The URL for the users of the virtual cluster, through the interceptors; plain HTTP, without authentication. */
  readonly url: string
  /** Becomes the leader: starts its own syncers, and informs each plugin. */
  lead(): Promise<void>
  /**
   * Calls the hooks of this kind and type, one plugin after the other, and resolves with the last response as
   * JSON, which vcluster decodes into its object.
   */
  mutate(request: MutateRequest): Promise<string>
  /** Stops the proxy, the process's own syncers and the plugins' programs. */
  stop(): Promise<void>
}

/** The process, with the interceptors for a server in front of the virtual cluster. */
class InterceptingVCluster implements VClusterWithPlugins {
  readonly plugins: readonly LoadedPlugin[]
  readonly url: string
  readonly #options: VClusterParts

  constructor(plugins: readonly LoadedPlugin[], options: VClusterParts) {
    this.plugins = plugins
    this.url = options.url
    this.#options = options
  }

  async lead(): Promise<void> {
    this.#options.syncers.start(() => this.plugins.map(hookedPlugin))
    for (const { program } of this.plugins) await program.setLeader()
  }

  async mutate(request: MutateRequest): Promise<string> {
    let { object } = request
    for (const { program, clientHooks } of this.plugins) {
      if (!clientHooks.some((hook) => matchesHook(hook, request))) continue
      const answer = await program.mutate({ ...request, object })
      if (answer.mutated) object = answer.object
    }
    return object
  }

  /** Forwards a user's request to the interceptor whose rule it matches. Returns false if it matches no rule. */
  intercept(request: ProxiedRequest, response: ServerResponse | Http2ServerResponse): boolean {
    return intercept(request, response, this.#options.rules)
  }

  async stop(): Promise<void> {
    const kill = () => Promise.all(this.plugins.map(({ program }) => program.kill()))
    await inTurn([this.#options.close, () => this.#options.syncers.stop(), kill])
  }
}

const matchesHook = (hook: HookedKind, { apiVersion, kind, type }: MutateRequest) =>
  hook.apiVersion === apiVersion && hook.kind === kind && hook.types.includes(type)

/**
 * Starts a vcluster process with plugins inside its container. If a program does not start, or its
 * configuration is invalid, kills every program and rejects with vcluster's error.
 *
 * @example
 * ```ts
 * const host = await createApiServer({ name: 'host' })
 * await host.listen()
 * const vcluster = await startVClusterWithPlugins({
 *   programs: ['dist/my-plugin/plugin'],
 *   virtualKubeconfigFile: 'virtual.kubeconfig',
 *   hostKubeconfig: await host.kubeconfig(),
 * })
 * await vcluster.lead()
 * ```
 */
export function startVClusterWithPlugins(options: VClusterWithPluginsOptions): Promise<VClusterWithPlugins> {
  return startInterceptingVCluster(options)
}

/** Like {@link startVClusterWithPlugins}, for callers that serve the virtual cluster themselves. */
export async function startInterceptingVCluster(
  options: VClusterWithPluginsOptions,
): Promise<InterceptingVCluster> {
  const started: PluginProgram[] = []
  try {
    for (const program of options.programs) started.push(await startProgram(program, options))
    const rules = new RuleTable<Route>()
    const plugins: LoadedPlugin[] = []
    for (const [index, program] of started.entries())
      plugins.push(await loadPlugin(program, folderOf(options.programs[index] ?? ''), { ...options, rules }))
    const syncers = await processSyncers(options)
    const virtual = createTransport({
      kubeconfig: await loadKubeconfig({ file: options.virtualKubeconfigFile }),
    })
    const proxy = await startVClusterProxy({ rules, virtual })
    const close = () => inTurn([() => proxy.close(), () => virtual.close()])
    return new InterceptingVCluster(plugins, { ...proxy, close, rules, syncers })
  } catch (error) {
    await Promise.all(started.map((program) => program.kill()))
    throw error
  }
}

/** Takes all steps of an end, also after one that fails. Rejects with the last failure. */
async function inTurn([step, ...others]: readonly (() => Promise<unknown>)[]): Promise<void> {
  try {
    await step?.()
  } finally {
    if (others.length > 0) await inTurn(others)
  }
}

async function processSyncers(options: VClusterWithPluginsOptions): Promise<ProcessSyncers> {
  const { name: vclusterName = 'vcluster', currentNamespace = `vcluster-${vclusterName}` } = options
  const virtualKubeconfig = await readFile(options.virtualKubeconfigFile, 'utf8')
  const { targetNamespace = currentNamespace, version = '0.36', syncAllToHost: all = false } = options
  const observed = { logger: options.logger ?? silentLogger, clock: systemClock }
  return new ProcessSyncers({
    ...options,
    ...observed,
    hostKubeconfig: options.ownHostKubeconfig ?? options.hostKubeconfig,
    vclusterName,
    targetNamespace,
    version,
    all,
    virtualKubeconfig,
  })
}

const hookedPlugin = ({ name, clientHooks, program }: LoadedPlugin): HookedPlugin => ({
  name,
  clientHooks,
  mutate: (request) => program.mutate(request),
})
