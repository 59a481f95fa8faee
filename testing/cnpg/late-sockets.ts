import { socketFolder } from '../../sdk/cnpg/pod/sidecar.js'
import { PluginCapability_Service_Type as Service } from '../../sdk/cnpg/proto/gen/identity.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { CallablePlugin } from './loaded-plugins.js'

/**
 * Why an instance may never become ready: it looks for the sockets of its plugins once, when it starts, and the
 * sidecars that serve them start at the same time, unless a startup probe lets the instance wait for them.
 */
export function missedSockets({ metadata, spec }: Pod, plugins: readonly CallablePlugin[]): string[] {
  const serving = plugins.filter(({ services }) => services.includes(Service.TYPE_INSTANCE_SIDECAR_INJECTION))
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy, volumeMounts = [] }) =>
      restartPolicy === 'Always' && volumeMounts.some(({ mountPath }) => mountPath === socketFolder),
  )
  const probed = sidecars.filter(({ startupProbe }) => startupProbe !== undefined)
  return serving
    .slice(probed.length)
    .map(
      ({ name }) =>
        `instance ${metadata.name} may start before the socket of its plugin: Unknown plugin: '${name}'`,
    )
}
