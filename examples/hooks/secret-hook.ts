import {
  ClientHook,
  type HookContext,
  isAlreadyExists,
  type RegisterContext,
  type Secret,
  secrets,
} from 'vcluster-plugin-sdk'

const key = { namespace: 'default', name: 'test' }

/** Asks vcluster for a copy. */
const forceSync = 'vcluster.loft.sh/force-sync'

/** Tells the annotation that this hook shows from one that a user wrote. */
const askedBy = 'example.com/asked-by'

/**
 * Makes vcluster copy one Secret that no Pod refers to: it sees an annotation that asks for the copy, and the user does not.
 * The Secret is made if it is not there.
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
    const { namespace, name, annotations = {} } = secret.metadata
    const isOurs = namespace === key.namespace && name === key.name
    // A user who wrote the annotation has decided.
    if (!isOurs || forceSync in annotations) return secret
    return withAnnotations(secret, { ...annotations, [forceSync]: 'true', [askedBy]: this.name })
  }

  override mutateCreateVirtual(_: HookContext, secret: Secret): Secret {
    const { [forceSync]: _sync, [askedBy]: asked, ...users } = secret.metadata.annotations ?? {}
    return asked === this.name ? withAnnotations(secret, users) : secret
  }

  override mutateUpdateVirtual(ctx: HookContext, secret: Secret): Secret {
    return this.mutateCreateVirtual(ctx, secret)
  }
}

const withAnnotations = (secret: Secret, annotations: Record<string, string>): Secret => ({
  ...secret,
  metadata: { ...secret.metadata, annotations },
})
