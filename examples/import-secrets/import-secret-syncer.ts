import {
  formatKey,
  hostInternalReason,
  type Key,
  keyOf,
  parseKey,
  type RegisterContext,
  type Secret,
  secrets,
  UpTranslator,
} from 'vcluster-plugin-sdk'

/** Annotation of a host Secret with its place in the virtual cluster, as `namespace/name`. */
export const importAnnotation = 'vcluster.loft.sh/import'

const indexName = 'imported as'

/** Copies each Secret of the vcluster's host namespace to the place in its annotation. */
export class ImportSecretSyncer extends UpTranslator<Secret> {
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'import-secrets', secrets)
    this.#ctx = ctx
  }

  override async registerIndices(ctx: RegisterContext): Promise<void> {
    ctx.host.store(secrets).addIndex(indexName, (host) => {
      const target = targetOf(host)
      return target ? [formatKey(target)] : []
    })
  }

  /** If two Secrets name the same place, the first by name is copied. */
  override virtualToHost(key: Key): Key | undefined {
    const asking = this.#ctx.host.store(secrets).byIndex(indexName, formatKey(key)).map(keyOf)
    return asking.sort((a, b) => (a.name < b.name ? -1 : 1))[0]
  }

  override hostToVirtual(host: Secret): Key | undefined {
    return targetOf(host)
  }

  override isManaged(host: Secret): boolean {
    return targetOf(host) !== undefined
  }
}

const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/**
 * The place in the annotation of a host Secret. Undefined if there is no annotation, if it is invalid, or if
 * the Secret is a credential of the vcluster or the cluster.
 */
function targetOf(host: Secret): Key | undefined {
  if (hostInternalReason(secrets, host)) return undefined
  const { metadata } = host
  const target = parseKey(metadata.annotations?.[importAnnotation] ?? '')
  const isValid = validName.test(target.name) && validName.test(target.namespace)
  return isValid && !target.namespace.includes('.') ? target : undefined
}
