import {
  hostInternalReason,
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

/** The label of Secrets that this plugin made in another vcluster; they are not originals. */
const copyLabel = 'plugin.vcluster.loft.sh/managed-by'

/** Copies the image pull secrets of the vcluster's host namespace to one namespace of the virtual cluster. */
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

  override isManaged(host: Secret): boolean {
    const isCopy = host.metadata.labels?.[copyLabel] !== undefined
    const isInternal = hostInternalReason(this.resource, host) !== undefined
    return host.type === 'kubernetes.io/dockerconfigjson' && !isCopy && !isInternal
  }
}
