import { socketFolder } from '../../sdk/cnpg/pod/sidecar.js'
import { PluginCapability_Service_Type as Service } from '../../sdk/cnpg/proto/gen/identity.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { CallablePlugin } from './loaded-plugins.js'

/**
 * Why an instance may never become ready. The instance looks for the sockets of its plugins once, at its start. The
 * containers that serve the sockets start at the same time, unless a startup probe makes the instance wait for them.
 */
export function missedSockets({ metadata, spec }: Pod, plugins: readonly CallablePlugin[]): string[] {
  if (!plugins.some(({ services }) => services.includes(Service.TYPE_INSTANCE_SIDECAR_INJECTION))) return []
  const early = spec?.initContainers?.filter(
    ({ restartPolicy, startupProbe }) => restartPolicy === 'Always' && !startupProbe,
  )
  const late = spec?.containers.filter(({ name }) => name !== 'postgres')
  return [...(early ?? []), ...(late ?? [])]
    .filter(({ volumeMounts }) => volumeMounts?.some(({ mountPath }) => mountPath === socketFolder))
    .map(
      ({ name }) =>
        `instance ${metadata.name} may start before its sidecar ${name} listens, and then knows no plugin of it: ` +
        'add it as an init container with restartPolicy Always and a startupProbe',
    )
}
