import { basename } from 'node:path'
import { failWhenAborted } from '../../engine/manager/leadership-changes.js'
import { loadKubeconfig } from '../../engine/transport/load-kubeconfig.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Side } from '../context/register-context.js'
import { checkCookie } from '../remote/v2/cookie.js'
import type { Initialization } from '../remote/v2/initialize.js'
import { processLeadership } from '../remote/v2/process-leadership.js'
import { type ServedPlugin, servePlugin } from '../remote/v2/serve.js'
import { type InterceptorServer, serveInterceptors } from '../remote/v2/serve-interceptors.js'
import { StandardStreams } from '../remote/v2/standard-streams.js'
import { findLabelMode } from './label-mode.js'
import { openTransport } from './open-transport.js'
import type { OpenSessionOptions, Session } from './session.js'
import { sessionFacts } from './session-facts.js'
import { withoutInterceptors } from './without-interceptors.js'

/** The parts of its process that a plugin inside vcluster's container uses. */
export interface Surroundings {
  streams: StandardStreams
  /** The process that started this one; default `process.ppid`. */
  parentId?: () => number
  /** Makes the plugin's folder the working directory; default `process.chdir`. */
  chdir?: (folder: string) => void
  /** Called when the vcluster process is gone, with the reason. */
  onGone?: (reason: string) => void
}

/**
 * A session inside vcluster's container (its v2 protocol): the process that started the plugin tells it both clusters
 * and goes on when `announce` has answered; the plugin leads when the process says so, until that process is
 * gone.
 */
export async function openInSyncer(options: OpenSessionOptions, given?: Surroundings): Promise<Session> {
  const { env, clock, signal } = options
  checkCookie(env)
  const surroundings = given ?? { streams: new StandardStreams(process, clock) }
  const served = await servePlugin({ ...surroundings, env, clock })
  void served.gone.then(surroundings.onGone)
  try {
    return await sessionWith(served, options, await told(served, signal, surroundings))
  } catch (error) {
    await served.calls.fail(error)
    await served.close()
    throw error
  }
}

async function told(
  { calls, gone }: ServedPlugin,
  signal: AbortSignal,
  { chdir = (folder) => process.chdir(folder) }: Surroundings,
): Promise<Initialization> {
  const left = gone.then((reason) => Promise.reject(new Error(`the plugin ends: ${reason}`)))
  const initialization = await Promise.race([calls.asked, left, failWhenAborted(signal)])
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
  const labelMode = await findLabelMode({
    ...options,
    told: options.labelMode ?? initialization.labelMode,
    host: clusters.host,
    namespace: initialization.currentNamespace,
  })
  let asked: InterceptorServer | undefined
  return {
    facts: sessionFacts(initialization, { pluginName, labelMode }),
    ...clusters,
    asksPermissions: true,
    announce: async ({ hooks, interceptors }) => {
      const clientHooks = hooks.registrations
      const rules = interceptors.registrations
      try {
        // vcluster hands requests over from the moment it knows the rules.
        if (rules) asked = await serveInterceptors({ port: portOf(initialization), interceptors, logger })
      } catch (error) {
        await served.calls.fail(error)
        throw error
      }
      served.calls.ready({
        config: { ...(clientHooks.length > 0 && { clientHooks }), ...(rules && { interceptors: rules }) },
        mutate: (call, options) => hooks.mutate(call, options),
      })
    },
    lead: () => processLeadership({ leads: served.calls.leads, gone: served.gone, clock, logger }),
    async close(reason) {
      await served.calls.fail(reason ?? new Error('the plugin ended before it was ready'))
      await served.close()
      await asked?.close()
      await Promise.all([clusters.virtual.close(), clusters.host.close()])
    },
  }
}

function portOf({ interceptorPort }: Initialization): number {
  if (interceptorPort !== undefined) return interceptorPort
  throw withoutInterceptors('this vcluster does not support interceptors')
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
