import { EMPTY } from 'rxjs'
import { PluginError } from '../../engine/kube/error.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { OpenSessionOptions, Session } from './session.js'

/**
 * A session without clusters, for a plugin that only describes itself. Its names are placeholders for the names of a
 * vcluster; every call to a cluster rejects with `PluginError` `DESCRIBING`.
 */
export async function openDescribed({
  env,
  name,
  labelMode = 'reserved',
}: OpenSessionOptions): Promise<Session> {
  const transport = refusingTransport()
  return {
    facts: {
      pluginName: env.VCLUSTER_PLUGIN_NAME || name || 'plugin',
      vclusterName: 'vcluster',
      targetNamespace: 'vcluster',
      currentNamespace: 'vcluster',
      labelMode,
      ownerService: undefined,
    },
    virtual: transport,
    host: transport,
    announce: async () => {},
    lead: () => ({ leader$: EMPTY, deadline: () => Number.NEGATIVE_INFINITY, release: async () => {} }),
    close: async () => {},
  }
}

function refusingTransport(): Transport {
  const refuse = async () => {
    const message =
      'no cluster is connected while the plugin describes itself (VCLUSTER_PLUGIN_DESCRIBE=1): ' +
      'call the clusters in a syncer’s init or later, not between plugin.init() and plugin.start()'
    throw new PluginError('DESCRIBING', message)
  }
  return { request: refuse, stream: refuse, close: async () => {} }
}
