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

/** Annotation of a host Secret: the virtual Secret it is to become, as `namespace/name`. */
export const importAnnotation = 'vcluster.loft.sh/import'

const indexName = 'imported as'

/** Shows each Secret of the vcluster's host namespace where its annotation asks for it. */
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

  /** Where two ask for the same place, the first by name has it. */
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
 * Where a host Secret asks to be shown; nothing if it does not ask, asks for a place that cannot be, or is a credential of
 * the vcluster or the cluster.
 */
function targetOf(host: Secret): Key | undefined {
  if (hostInternalReason(secrets, host)) return undefined
  const { metadata } = host
  const target = parseKey(metadata.annotations?.[importAnnotation] ?? '')
  const isValid = validName.test(target.name) && validName.test(target.namespace)
  return isValid && !target.namespace.includes('.') ? target : undefined
}
