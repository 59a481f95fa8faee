import { applyManifests, type RegisterContext, type Registrant } from 'vcluster-plugin-sdk'

/** Applies the objects of `manifests.yaml` to the virtual cluster, each time that the plugin begins to lead. */
export class Bootstrap implements Registrant {
  readonly name = 'bootstrap-with-deployment'

  async init(ctx: RegisterContext): Promise<void> {
    await applyManifests(ctx, new URL('manifests.yaml', import.meta.url))
  }
}
