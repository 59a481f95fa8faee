import { applyManifests, type RegisterContext, type Runnable } from 'vcluster-plugin-sdk'

/** Applies the objects of `manifests.yaml` to the virtual cluster each time the plugin becomes the leader. */
export class Bootstrap implements Runnable {
  readonly name = 'bootstrap-with-deployment'

  async init(ctx: RegisterContext): Promise<void> {
    await applyManifests(ctx, new URL('manifests.yaml', import.meta.url))
  }
}
