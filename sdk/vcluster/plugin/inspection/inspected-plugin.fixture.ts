import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { InProcessVCluster } from '../../../../simulator/in-process-vcluster.js'
import { untilSettled } from '../../../../testing/plugin/until-settled.js'
import type { Client } from '../../../engine/client/client.js'
import { createClient } from '../../../engine/client/create-client.js'
import { Probes } from '../../../engine/health/probes.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  type Pod,
  pods,
  type Secret,
  secrets,
  services,
} from '../../../engine/kube/builtin.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { parseKey } from '../../../engine/kube/key.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import type { ControllerDefinition } from '../../../operator/engine/controller.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { ClientHook } from '../../hook/client-hook.js'
import { NamespacedTranslator } from '../../syncer/translator/namespaced-translator.js'
import type { Plugin } from '../plugin.js'
import { createPluginRuntime } from '../plugin-runtime.js'

/** Text that must not be in any response of an inspector. */
export const secretText = 'correct-horse-battery-staple'

/** Copies ConfigMaps. The name decides the run: `never` fails for good, `broken` is retried, `private` has no copy. */
class FailingSyncer extends NamespacedTranslator<ConfigMap> {
  constructor(ctx: RegisterContext) {
    super(ctx, 'configmap', configMaps)
  }

  override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
    const { name = '' } = virtual.metadata
    if (name.includes('never')) throw new PermanentError('it is too large for the host')
    if (name.includes('broken')) throw new TypeError('data.port is not a number')
    if (name.includes('private')) return
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: { host: ConfigMap; virtual: ConfigMap }) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

/** Copies Secrets. The one named `leaky` fails with a secret text in its error message. */
class SecretSyncer extends NamespacedTranslator<Secret> {
  constructor(ctx: RegisterContext) {
    super(ctx, 'secret', secrets)
  }

  override syncDown(ctx: SyncContext, virtual: Secret) {
    if (virtual.metadata.name === 'leaky') throw new PermanentError(`bad value ${secretText}`)
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: { host: Secret; virtual: Secret }) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

/** A hook that changes nothing, so that the inspector has a hook to show. */
class IdleHook extends ClientHook<Pod> {
  constructor() {
    super('stamp', pods)
  }

  override mutateCreatePhysical(_ctx: unknown, pod: Pod): Pod {
    return pod
  }
}

/** A plugin that runs, with its inspector. */
export interface InspectedPlugin {
  /** The URL of the server of the inspector. */
  readonly url: string
  readonly plugin: Plugin
  readonly virtual: Client
  readonly host: Client
  /** Resolves when the plugin and the simulated vcluster have nothing to do. */
  settled(): Promise<void>
  /** Reads a page of the inspector's API, as JSON. */
  read(path: string): Promise<unknown>
  /** Sends a request with any method and headers. */
  ask(path: string, options?: AskOptions): Promise<{ status: number; headers: object; text: string }>
  stop(): Promise<void>
}

/** Options of {@link InspectedPlugin.ask}. */
export interface AskOptions {
  method?: string
  headers?: Record<string, string>
}

/** Options of {@link inspectedPlugin}. */
interface InspectedOptions {
  readonly inspector?: boolean
  /** Controllers to register in addition to the syncers and the hook; default none. */
  readonly controllers?: readonly ControllerDefinition[]
}

/** Starts a plugin of two syncers and a hook on embedded clusters. */
export async function inspectedPlugin(options: InspectedOptions = {}): Promise<InspectedPlugin> {
  const { vcluster, servers, virtual, host } = await embeddedClusters()
  const { plugin, urlNow } = await startPlugin(vcluster, options)
  const ask = (path: string, options?: AskOptions) => askAt(urlNow() + path, options)
  return {
    url: urlNow(),
    plugin,
    virtual,
    host,
    ask,
    settled: () => untilSettled({ plugin, isIdle: () => vcluster.isIdle(), servers: Object.values(servers) }),
    read: async (path) => JSON.parse((await ask(`/inspector/api/${path}`)).text),
    stop: async () => {
      await plugin.stop()
      await vcluster.stop()
    },
  }
}

/** A virtual cluster and its host, with clients of both. */
async function embeddedClusters() {
  const [virtualServer, hostServer] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const servers = { virtualServer, hostServer }
  const vcluster = new InProcessVCluster({
    vclusterName: 'vc',
    targetNamespace: 'vcluster-vc',
    syncToHost: ['Pod'],
    ...servers,
  })
  const virtual = createClient({ transport: inProcessTransport(virtualServer) })
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await host.create(namespaces, { metadata: { name: 'vcluster-vc' } })
  await host.create(services, {
    metadata: { name: 'vc', namespace: 'vcluster-vc' },
    spec: { ports: [{ port: 443 }] },
  })
  return { vcluster, servers, virtual, host }
}

/** Starts the plugin. The URL of its inspector is in its log. */
async function startPlugin(
  vcluster: InProcessVCluster,
  { inspector = true, controllers = [] }: InspectedOptions,
): Promise<{ plugin: Plugin; urlNow: () => string }> {
  let url = ''
  const info = (fields: object) => {
    if ('url' in fields) url ||= String(fields.url)
  }
  const plugin = createPluginRuntime({
    env: { VCLUSTER_PLUGIN_INSPECT: inspector ? '1' : '0' },
    logger: { ...silentLogger, info },
    probes: new Probes({}),
    openSession: async () => vcluster.session(),
  })
  const ctx = await plugin.init()
  for (const part of [new FailingSyncer(ctx), new SecretSyncer(ctx), new IdleHook()]) plugin.register(part)
  for (const controller of controllers) plugin.register(controller as never)
  void plugin.start()
  await plugin.whenRunning()
  return { plugin, urlNow: () => url }
}

/** Node's own client, because `fetch` does not allow a Host header. */
async function askAt(url: string, { method = 'GET', headers = {} }: AskOptions = {}) {
  const asked = request(url, { method, headers })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  }
}

/** A ConfigMap of the virtual cluster. `key` is `namespace/name`. */
export function configMap(key: string, data: Record<string, string> = { text: 'hello' }): ConfigMap {
  return { metadata: { ...parseKey(key) }, data }
}

/** A Pod of the virtual cluster. `key` is `namespace/name`. */
export function pod(key: string): Pod {
  return { metadata: { ...parseKey(key) }, spec: { containers: [{ name: 'main', image: 'nginx' }] } }
}
