import {
  type Key,
  keyOf,
  type RegisterContext,
  type Secret,
  secrets,
  UpTranslator,
} from 'vcluster-plugin-sdk'

/** Options of {@link PullSecretSyncer}. */
export interface PullSecretSyncerOptions {
  /** The virtual namespace that the pull secrets are copied to; default `default`. */
  destination?: string
}

/** What marks a Secret that a vcluster, or this plugin elsewhere, copied to the host: those are no originals. */
const copiedBy = ['vcluster.loft.sh/managed-by', 'plugin.vcluster.loft.sh/managed-by']

/** Shows the image pull secrets of the vcluster's host namespace in one namespace of the virtual cluster. */
export class PullSecretSyncer extends UpTranslator<Secret> {
  readonly #from: string
  readonly #destination: string

  constructor(ctx: RegisterContext, { destination = 'default' }: PullSecretSyncerOptions = {}) {
    super(ctx, 'pull-secret-sync', secrets)
    this.#from = ctx.targetNamespace
    this.#destination = destination
  }

  override virtualToHost({ namespace, name }: Key): Key | undefined {
    return namespace === this.#destination ? { namespace: this.#from, name } : undefined
  }

  override hostToVirtual(host: Secret): Key {
    return { namespace: this.#destination, name: keyOf(host).name }
  }

  override isManaged({ type, metadata }: Secret): boolean {
    const isCopied = copiedBy.some((label) => metadata.labels?.[label] !== undefined)
    return type === 'kubernetes.io/dockerconfigjson' && !isCopied
  }
}
