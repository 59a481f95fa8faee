/**
 * A simulated vcluster process as the plugins inside its container see it. It starts their programs, sends them the
 * configuration of both clusters, reads their hooks and interceptors, and then tells them that it is the leader.
 *
 * It promises the order, payloads, errors and proxy of a real process, and go-plugin's handshake, without Go. As the
 * leader it runs the simulated syncers, which call the plugins' hooks. It does not create the two clusters. See
 * pkg/plugin/v2/plugin.go @ v0.19.10 and @ v0.36.1 of vcluster.
 */
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { basename, dirname, resolve } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { RuleTable } from '../../sdk/hook/rule-table.js'
import { type Logger, silentLogger } from '../../sdk/observe/logger.js'
import type { MutateRequest } from '../../sdk/remote/proto/gen/v2.js'
import { systemClock } from '../../sdk/time/clock.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/transport/load-kubeconfig.js'
import { freePort } from '../free-ports.js'
import type { MirroredKind } from '../syncers/mirrored-kind.js'
import type { HookedKind, HookedPlugin } from '../syncers/plugin-hooks.js'
import { ProcessSyncers } from '../syncers/process-syncers.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { initializePayload } from './initialize-payload.js'
import { type Asked, intercept, type Route } from './intercept.js'
import { connectPluginProgram, cookie, type PluginProgram, startPluginProgram } from './plugin-program.js'
import { startVClusterProxy } from './vcluster-proxy.js'

/** Options of {@link startVClusterWithPlugins}. */
export interface VClusterWithPluginsOptions {
  /**
   * Each plugin's program, `<folder>/<name>/plugin`, in the order in which their hooks run; or its main
   * module, which is started with the Node and the flags of this process. A plugin has the name of its
   * folder. The caller may also start the program itself.
   */
  programs: readonly (string | StartedProgram)[]
  /** The file with the virtual cluster's kubeconfig. */
  virtualKubeconfigFile: string
  /** Kubeconfig text of the host cluster. */
  hostKubeconfig: string
  /** Kubeconfig text of the host cluster for the process's own syncers. Default `hostKubeconfig`. */
  ownHostKubeconfig?: string
  /** The vcluster's name. Default `vcluster`. */
  name?: string
  /** The host namespace of the process. Default `vcluster-<name>`. */
  currentNamespace?: string
  /** The host namespace of the copies. Default `currentNamespace`. */
  targetNamespace?: string
  /** The version of vcluster that is simulated; only 0.36 has interceptors. Default `0.36`. */
  version?: VClusterVersion
  /** The plugins' configurations by their names, as in `plugins.<name>.config` of the vcluster's values. Default none. */
  config?: Readonly<Record<string, object>>
  /**
   * The kinds that its own syncers sync once it leads. Hooks are called for these kinds, and a plugin must not sync them.
   * Default the kinds that the plugins have hooks for.
   */
  mirrors?: readonly MirroredKind[]
  /** Whether ConfigMaps and Secrets are synced that no Pod uses, as with `sync.toHost.configMaps.all`. Default false. */
  mirrorsAll?: boolean
  /** The log of its syncers. Default silent. */
  logger?: Logger
  /** The environment of the process and its plugins. Default `PATH`, `HOME` and `TMPDIR` of this one. */
  env?: Readonly<Record<string, string | undefined>>
}

/**
 * A plugin's program that the caller has just started, with {@link programEnvironment} in its environment.
 */
export interface StartedProgram {
  /** The plugin's folder: its working directory, and its name. */
  folder: string
  /** The process. Its standard output and error must be pipes. */
  child: ChildProcess
  /** Gets each line that the program prints while it is connected. Default none. */
  onPrint?: (line: string) => void
}

/**
 * The environment variables that a vcluster process sets for a plugin. `config` is the plugin's configuration in the values.
 *
 * @example
 * ```ts
 * import { spawn } from 'node:child_process'
 *
 * const child = spawn('node', ['--inspect', 'main.js'], {
 *   env: { ...process.env, ...programEnvironment({ color: 'blue' }) },
 * })
 * console.log(child.pid)
 * ```
 */
export function programEnvironment(config?: object): Record<string, string> {
  return { ...cookie, PLUGIN_CONFIG: stringify(config ?? null) }
}

/** A plugin as the vcluster process knows it. */
export interface LoadedPlugin {
  /** The name of its folder. */
  readonly name: string
  readonly program: PluginProgram
  readonly clientHooks: readonly HookedKind[]
  /** The port of its interceptors. */
  readonly port: number
}

const texts = z.array(z.string()).default([])
const ruleSchema = z.object({
  apiGroups: texts,
  resources: texts,
  resourceNames: texts,
  nonResourceURLs: texts,
  verbs: texts,
})

const pluginConfigSchema = z.object({
  clientHooks: z
    .array(
      z.object({
        apiVersion: z.string().default(''),
        kind: z.string().default(''),
        types: texts,
      }),
    )
    .default([]),
  interceptors: z.record(z.string(), z.array(ruleSchema)).default({}),
})

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
export class VClusterWithPlugins {
  readonly plugins: readonly LoadedPlugin[]
  /** The URL for the users of the virtual cluster, through the interceptors; plain HTTP, without authentication. */
  readonly url: string
  readonly #parts: VClusterParts

  /** Starts nothing; {@link startVClusterWithPlugins} does both. */
  constructor(plugins: readonly LoadedPlugin[], parts: VClusterParts) {
    this.plugins = plugins
    this.url = parts.url
    this.#parts = parts
  }

  /** Becomes the leader: starts its own syncers, and informs each plugin. */
  async lead(): Promise<void> {
    this.#parts.syncers.start(() => this.plugins.map(hooked))
    for (const { program } of this.plugins) await program.setLeader()
  }

  /**
   * Calls the hooks of this kind and type, one plugin after the other, and resolves with the last response as
   * JSON, which vcluster decodes into its object.
   */
  async mutate(request: MutateRequest): Promise<string> {
    let { object } = request
    for (const { program, clientHooks } of this.plugins) {
      if (!clientHooks.some((hook) => fits(hook, request))) continue
      const answer = await program.mutate({ ...request, object })
      if (answer.mutated) object = answer.object
    }
    return object
  }

  /**
   * Forwards a user's request to the interceptor whose rule it matches. Returns false if it matches no rule.
   * Use it in your own server in front of the virtual cluster.
   */
  intercept(request: Asked, response: ServerResponse | Http2ServerResponse): boolean {
    return intercept(request, response, this.#parts.rules)
  }

  /** Stops the proxy, the process's own syncers and the plugins' programs. */
  async stop(): Promise<void> {
    await this.#parts.close()
    await this.#parts.syncers.stop()
    await Promise.all(this.plugins.map(({ program }) => program.kill()))
  }
}

type Hook = LoadedPlugin['clientHooks'][number]

const fits = (hook: Hook, { apiVersion, kind, type }: MutateRequest) =>
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
export async function startVClusterWithPlugins(
  options: VClusterWithPluginsOptions,
): Promise<VClusterWithPlugins> {
  const started: PluginProgram[] = []
  try {
    for (const program of options.programs) started.push(await startProgram(program, options))
    const rules = new RuleTable<Route>()
    const plugins: LoadedPlugin[] = []
    for (const [index, program] of started.entries())
      plugins.push(await load(program, folderOf(options.programs[index] ?? ''), { ...options, rules }))
    const virtual = createTransport({
      kubeconfig: await loadKubeconfig({ file: options.virtualKubeconfigFile }),
    })
    const proxy = await startVClusterProxy({ rules, virtual })
    const close = async () => {
      await proxy.close()
      await virtual.close()
    }
    return new VClusterWithPlugins(plugins, {
      ...proxy,
      close,
      rules,
      syncers: await processSyncers(options),
    })
  } catch (error) {
    await Promise.all(started.map((program) => program.kill()))
    throw error
  }
}

async function processSyncers(options: VClusterWithPluginsOptions): Promise<ProcessSyncers> {
  const { name: vclusterName = 'vcluster', currentNamespace = `vcluster-${vclusterName}` } = options
  const virtualKubeconfig = await readFile(options.virtualKubeconfigFile, 'utf8')
  const { targetNamespace = currentNamespace, version = '0.36', mirrorsAll: all = false } = options
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

const hooked = ({ name, clientHooks, program }: LoadedPlugin): HookedPlugin => ({
  name,
  clientHooks,
  ask: (request) => program.mutate(request),
})

function startProgram(
  program: string | StartedProgram,
  options: VClusterWithPluginsOptions,
): Promise<PluginProgram> {
  const { PATH, HOME, TMPDIR } = process.env
  const { env = { PATH, HOME, TMPDIR }, config = {} } = options
  const given = { ...env, ...programEnvironment(config[basename(folderOf(program))]) }
  const started =
    typeof program === 'string'
      ? startPluginProgram({ file: program, env: given })
      : connectPluginProgram(program.child, program)
  return started.catch((cause) => {
    const name = typeof program === 'string' ? program : program.folder
    throw new Error(`start plugin ${name}: ${cause.message}`, { cause })
  })
}

const folderOf = (program: string | StartedProgram) =>
  typeof program === 'string' ? dirname(resolve(program)) : program.folder

async function load(
  program: PluginProgram,
  folder: string,
  options: VClusterWithPluginsOptions & { rules: RuleTable<Route> },
): Promise<LoadedPlugin> {
  const port = await freePort()
  const plugin = { name: basename(folder), program, port }
  await program.initialize(await payloadFor(folder, port, options)).catch((cause) => {
    const said = program.lines.at(-1)
    throw new Error(
      `error starting plugin ${folder}: ${cause.message}${said ? `; it last said: ${said}` : ''}`,
      {
        cause,
      },
    )
  })
  const { clientHooks, interceptors } = pluginConfigSchema.parse(JSON.parse(await program.getPluginConfig()))
  for (const { apiVersion, kind } of clientHooks) {
    if (apiVersion === '') throw new Error(`api version is empty in plugin ${folder} hook`)
    if (kind === '') throw new Error(`kind is empty in plugin ${folder} hook`)
  }
  for (const [name, all] of Object.entries(options.version === '0.19' ? {} : interceptors)) {
    for (const rule of all) {
      const problem = options.rules.add(rule, { name, port })
      if (problem !== undefined) throw new Error(`error adding interceptor for plugin ${folder}: ${problem}`)
    }
  }
  return { ...plugin, clientHooks }
}

async function payloadFor(
  workingDir: string,
  port: number,
  options: VClusterWithPluginsOptions,
): Promise<string> {
  const { name = 'vcluster', version = '0.36', hostKubeconfig, virtualKubeconfigFile } = options
  const { currentNamespace = `vcluster-${name}`, targetNamespace = currentNamespace } = options
  return initializePayload(version, {
    ...{ name, hostKubeconfig, currentNamespace, targetNamespace, port },
    virtualKubeconfigFile: resolve(virtualKubeconfigFile),
    syncerKubeconfig: await readFile(virtualKubeconfigFile, 'utf8'),
    workingDir,
  })
}
