import type { Environment } from '../../../engine/kube/environment.js'
import { PluginError } from '../../../engine/kube/error.js'

/**
 * Checks that a vcluster process started this program, and supports this SDK's protocol version: by the magic cookie
 * and by `PLUGIN_PROTOCOL_VERSIONS`, which github.com/hashicorp/go-plugin sets (client.go @ v1.6.0).
 *
 * Throws a {@link PluginError} `NOT_STARTED_BY_VCLUSTER` or `VCLUSTER_TOO_NEW`.
 */
export function checkCookie(env: Environment): void {
  if (env.VCLUSTER_PLUGIN !== 'vcluster') {
    const message =
      'this program is a vcluster plugin that a vcluster process starts (VCLUSTER_PLUGIN=vcluster): add it to ' +
      'the vcluster’s "plugins" values, or set VIRTUAL_KUBECONFIG and HOST_KUBECONFIG to run it standalone'
    throw new PluginError('NOT_STARTED_BY_VCLUSTER', message)
  }
  const versions = env.PLUGIN_PROTOCOL_VERSIONS?.split(',') ?? ['1']
  if (versions.includes('1')) return
  const message = `the vcluster process supports plugin protocol ${versions.join(', ')}, and this SDK only 1: use a newer SDK`
  throw new PluginError('VCLUSTER_TOO_NEW', message)
}
