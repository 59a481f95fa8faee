import { ClientHook, type HookContext, type Pod, pods } from 'vcluster-plugin-sdk'

const label = 'created-by-plugin'

/** Labels each Pod on the host. Since vcluster 0.21 the label is copied back to the user's Pod. */
export class PodHook extends ClientHook<Pod> {
  constructor() {
    super('pod-hook', pods)
  }

  override mutateCreatePhysical(_: HookContext, pod: Pod): Pod {
    const labels = { ...pod.metadata.labels, [label]: this.name }
    return { ...pod, metadata: { ...pod.metadata, labels } }
  }

  /** Without this hook, vcluster's next update would remove the label. */
  override mutateUpdatePhysical(ctx: HookContext, pod: Pod): Pod {
    return this.mutateCreatePhysical(ctx, pod)
  }
}
