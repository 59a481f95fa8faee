import {
  ClientHook,
  type HookContext,
  isAlreadyExists,
  type RegisterContext,
  type Secret,
  secrets,
} from 'vcluster-plugin-sdk'

const key = { namespace: 'default', name: 'test' }

/**
 * Makes vcluster copy one Secret that no Pod refers to: it sees an annotation that asks for the copy. The Secret is made if
 * it is not there.
 */
export class SecretHook extends ClientHook<Secret> {
  constructor() {
    super('secret-hook', secrets)
  }

  async init(ctx: RegisterContext): Promise<void> {
    try {
      await ctx.virtual.client.create(secrets, { metadata: key, stringData: { made: 'by the plugin' } })
    } catch (error) {
      // A user's own Secret of that name is as good.
      if (!isAlreadyExists(error)) throw error
    }
  }

  override mutateGetVirtual(_: HookContext, secret: Secret): Secret {
    const { namespace, name, annotations } = secret.metadata
    if (namespace !== key.namespace || name !== key.name) return secret
    const asking = { ...annotations, 'vcluster.loft.sh/force-sync': 'true' }
    return { ...secret, metadata: { ...secret.metadata, annotations: asking } }
  }
}
