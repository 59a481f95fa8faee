import { basename } from 'node:path'
import { failWhenAborted } from '../../engine/manager/leadership-changes.js'
import type { Logger } from '../../engine/observe/logger.js'
import { loadKubeconfig } from '../../engine/transport/load-kubeconfig.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Side } from '../context/register-context.js'
import { checkCookie } from '../remote/v2/cookie.js'
import type { Initialization } from '../remote/v2/initialize.js'
import { processLeadership } from '../remote/v2/process-leadership.js'
import { type ServedPlugin, servePlugin } from '../remote/v2/serve.js'
import { type InterceptorServer, serveInterceptors } from '../remote/v2/serve-interceptors.js'
import { StandardStreams } from '../remote/v2/standard-streams.js'
import { labelModeOfSession } from './label-mode.js'
import { openTransport } from './open-transport.js'
import type { AnnounceOptions, OpenSessionOptions, Session } from './session.js'
import { sessionFacts } from './session-facts.js'
import { noInterceptorsError } from './without-interceptors.js'

/** The parts of its process that a plugin inside vcluster's container uses; tests replace them. */
export interface ProcessParts {
  streams: StandardStreams
  /** The process that started this one; default `process.ppid`. */
  parentId?: () => number
  /** Makes the plugin's folder the working directory; default `process.chdir`. */
  chdir?: (folder: string) => void
  /** Called when the vcluster process is gone, with the reason. */
  onGone?: (reason: string) => void
}

/**
 * Opens a session inside vcluster's container, by vcluster's v2 protocol. The vcluster process starts the plugin and
 * sends the kubeconfigs of both clusters. The process continues when `announce` has sent the hooks and interceptors.
 * The process also reports when the plugin leads; the plugin then leads until that process ends.
 */
export async function openInSyncer(options: OpenSessionOptions, parts?: ProcessParts): Promise<Session> {
  const { env, clock, signal } = options
  checkCookie(env)
  const processParts = parts ?? { streams: new StandardStreams(process, clock) }
  const served = await servePlugin({ ...processParts, env, clock })
  void served.gone.then(processParts.onGone)
  try {
    return await sessionWith(served, options, await receiveInitialization(served, signal, processParts))
  } catch (error) {
    await served.calls.fail(error)
    await served.close()
    throw error
  }
}

/** Waits until the vcluster process has called `Initialize`. Rejects if that process ends, or if the plugin stops. */
async function receiveInitialization(
  { calls, gone }: ServedPlugin,
  signal: AbortSignal,
  { chdir = (folder) => process.chdir(folder) }: ProcessParts,
): Promise<Initialization> {
  const rejectWhenGone = gone.then((reason) => Promise.reject(new Error(`the plugin ends: ${reason}`)))
  const initialization = await Promise.race([calls.initialization, rejectWhenGone, failWhenAborted(signal)])
  chdir(initialization.workingDir)
  return initialization
}

async function sessionWith(
  served: ServedPlugin,
  options: OpenSessionOptions,
  initialization: Initialization,
): Promise<Session> {
  const { clock, logger } = options
  // The vcluster process names a plugin by its folder.
  const pluginName = basename(initialization.workingDir)
  const clusters = await openClusters(initialization, { ...options, pluginName })
  const labelMode = await labelModeOfSession(initialization, options, clusters.host)
  let interceptorServer: InterceptorServer | undefined
  return {
    facts: sessionFacts(initialization, { pluginName, labelMode }),
    ...clusters,
    asksPermissions: true,
    announce: async (announced) => {
      // vcluster sends requests as soon as it knows the rules, so the server must listen before.
      interceptorServer = await listen(served, announced.interceptors, { initialization, logger })
      sendConfig(served, announced)
    },
    lead: () => processLeadership({ leads: served.calls.leads, gone: served.gone, clock, logger }),
    async close(reason) {
      await served.calls.fail(reason ?? new Error('the plugin ended before it was ready'))
      await served.close()
      await interceptorServer?.close()
      await Promise.all([clusters.virtual.close(), clusters.host.close()])
    },
  }
}

/** Opens the port of the interceptors, if there are any. A failure is reported to the vcluster process. */
async function listen(
  { calls }: ServedPlugin,
  interceptors: AnnounceOptions['interceptors'],
  { initialization, logger }: { initialization: Initialization; logger: Logger },
): Promise<InterceptorServer | undefined> {
  if (!interceptors.registrations) return undefined
  try {
    return await serveInterceptors({ port: portOf(initialization), interceptors, logger })
  } catch (error) {
    await calls.fail(error)
    throw error
  }
}

/** Answers the vcluster process with the hooks and the rules of interceptors. */
function sendConfig({ calls }: ServedPlugin, { hooks, interceptors }: Omit<AnnounceOptions, 'signal'>): void {
  const { registrations: clientHooks } = hooks
  const { registrations: rules } = interceptors
  calls.ready({
    config: { ...(clientHooks.length > 0 && { clientHooks }), ...(rules && { interceptors: rules }) },
    mutate: (call, options) => hooks.mutate(call, options),
  })
}

function portOf({ interceptorPort }: Initialization): number {
  if (interceptorPort !== undefined) return interceptorPort
  throw noInterceptorsError('this vcluster does not support interceptors')
}

type OpenClustersOptions = OpenSessionOptions & { pluginName: string }

async function openClusters(
  { virtualKubeconfigFile, hostKubeconfig }: Initialization,
  options: OpenClustersOptions,
): Promise<Record<Side, Transport>> {
  const source = 'the host kubeconfig from the vcluster process'
  const virtual = await loadKubeconfig({ file: virtualKubeconfigFile })
  const host = await loadKubeconfig({ text: hostKubeconfig, source })
  return {
    virtual: openTransport('virtual', virtual, options),
    host: openTransport('host', host, options),
  }
}
