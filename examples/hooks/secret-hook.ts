import {
  ClientHook,
  type HookContext,
  isAlreadyExists,
  type RegisterContext,
  type Secret,
  secrets,
} from 'vcluster-plugin-sdk'

const key = { namespace: 'default', name: 'test' }

/** The annotation that requests a copy from vcluster. */
const forceSync = 'vcluster.loft.sh/force-sync'

/** Distinguishes the annotation of this hook from one that a user wrote. */
const askedBy = 'example.com/asked-by'

/**
 * Makes vcluster copy one Secret that no Pod uses. The hook shows vcluster an annotation that requests the
 * copy; the user's Secret does not get it. Creates the Secret if it does not exist.
 */
export class SecretHook extends ClientHook<Secret> {
  constructor() {
    super('secret-hook', secrets)
  }

  async init(ctx: RegisterContext): Promise<void> {
    try {
      await ctx.virtual.client.create(secrets, { metadata: key, stringData: { made: 'by the plugin' } })
    } catch (error) {
      // The user may already have created the Secret.
      if (!isAlreadyExists(error)) throw error
    }
  }

  override mutateGetVirtual(_: HookContext, secret: Secret): Secret {
    const { namespace, name, annotations = {} } = secret.metadata
    const isOurs = namespace === key.namespace && name === key.name
    // An annotation that the user wrote is kept.
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
