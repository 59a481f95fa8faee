import {
  ClientHook,
  type HookContext,
  HookDenialError,
  type Plugin,
  type Pod,
  pods,
} from 'vcluster-plugin-sdk'

/** vcluster does not create a Pod that this hook refuses; the message is in an Event of the Pod. */
class NoHostNetwork extends ClientHook<Pod> {
  override mutateCreatePhysical(_: HookContext, pod: Pod): Pod {
    if (pod.spec?.hostNetwork) throw new HookDenialError('spec.hostNetwork is not allowed here: remove it')
    return pod
  }
}

export function register(plugin: Plugin): void {
  plugin.register(new NoHostNetwork('no-host-network', pods))
}
