import { ClientHook, type HookContext, type Plugin, type Pod, pods } from 'vcluster-plugin-sdk'

/**
 * Sends all Pods of the virtual cluster to the nodes of its team. Tolerations of a Pod never change, so creation is
 * enough.
 */
class TeamNodes extends ClientHook<Pod> {
  override mutateCreatePhysical(_: HookContext, pod: Pod): Pod {
    const { spec } = pod
    if (!spec) return pod
    const toleration = { key: 'team', operator: 'Equal', value: 'blue', effect: 'NoSchedule' }
    return {
      ...pod,
      spec: {
        ...spec,
        nodeSelector: { ...spec.nodeSelector, team: 'blue' },
        tolerations: [...(spec.tolerations ?? []), toleration],
      },
    }
  }
}

export function register(plugin: Plugin): void {
  plugin.register(new TeamNodes('team-nodes', pods))
}
