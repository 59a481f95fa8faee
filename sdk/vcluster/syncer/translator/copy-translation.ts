import { asItsType, type DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { PluginError } from '../../../engine/kube/error.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject, OwnerReference } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import { hostContent, withFieldsOf, withoutStatus } from '../../ownership/translate-fields.js'
import type { ReferenceTranslator } from '../references/reference-translator.js'
import { checkTransformed } from './check-transformed.js'
import type { CopyMetadata } from './copy-metadata.js'
import { hostMetadata } from './host-metadata.js'

/** The wanted metadata of a copy. */
export interface MetadataUpdate {
  /** Whether the copy's labels or annotations differ from these. */
  changed: boolean
  labels: Record<string, string>
  annotations: Record<string, string>
}

/** The methods of a translator that its subclasses override, as {@link CopyTranslation} calls them. */
export interface TranslationHooks<T extends KubeObject> {
  readonly name: string
  readonly resource: Resource<T>
  virtualToHost(key: Key, virtual?: T): Key | undefined
  transform(virtual: DeepReadonly<T>): T
}

/** Parts of a {@link CopyTranslation}. */
export interface CopyTranslationParts<T extends KubeObject> {
  ctx: Pick<RegisterContext, 'targetNamespace' | 'owner'>
  metadata: CopyMetadata
  references: ReferenceTranslator<T>
}

/** The copy that an original should have: its name, labels, annotations and content. Writes nothing. */
export class CopyTranslation<T extends KubeObject> {
  readonly #syncer: TranslationHooks<T>
  readonly #parts: CopyTranslationParts<T>

  constructor(syncer: TranslationHooks<T>, parts: CopyTranslationParts<T>) {
    this.#syncer = syncer
    this.#parts = parts
  }

  /** A new copy of `virtual`, without a status. */
  newCopy(original: DeepReadonly<T>): T {
    const virtual = asItsType<T>(original)
    const hostKey = this.#hostKeyOf(virtual)
    const source = this.#sourceOf(virtual)
    const translatedMetadata = this.#parts.references.metadataToHost(source)
    const metadata = hostMetadata(virtual, {
      hostKey,
      labels: this.#parts.metadata.labels(translatedMetadata),
      annotations: this.#parts.metadata.annotations(translatedMetadata, { hostKey }),
      owner: this.#ownerIn(hostKey.namespace),
    })
    return { ...withoutStatus(this.#content(source)), metadata }
  }

  /** The labels and annotations of an existing copy. */
  metadataUpdate(givenHost: DeepReadonly<T>, virtual: DeepReadonly<T>): MetadataUpdate {
    const host = asItsType<T>(givenHost)
    const source = this.#parts.references.metadataToHost(this.#sourceOf(virtual))
    const labels = this.#parts.metadata.labels(source, host)
    const annotations = this.#parts.metadata.annotations(source, { hostKey: keyOf(host), host })
    const changed =
      !jsonEqual(host.metadata.labels ?? {}, labels) ||
      !jsonEqual(host.metadata.annotations ?? {}, annotations)
    return { changed, labels, annotations }
  }

  /** An existing copy with the content of its original; `host` itself if there is no difference. */
  contentUpdate(host: T, virtual: DeepReadonly<T>): T {
    return withFieldsOf(host, this.#content(this.#sourceOf(virtual)))
  }

  /**
   * The owner of copies in a namespace; none in other namespaces, because the garbage collector would delete a copy
   * whose owner is in another namespace.
   */
  #ownerIn(namespace: string): OwnerReference | undefined {
    const { ctx } = this.#parts
    return namespace === ctx.targetNamespace ? ctx.owner() : undefined
  }

  /** The transformed original under its own identity, which a transformation must not change. */
  #sourceOf(original: DeepReadonly<T>): T {
    const virtual = asItsType<T>(original)
    const source = this.#syncer.transform(original)
    if (source === virtual) return virtual
    checkTransformed(this.#syncer.name, source)
    const { labels, annotations } = source.metadata
    const { labels: _, annotations: __, ...identity } = virtual.metadata
    return {
      ...source,
      metadata: { ...identity, ...(labels && { labels }), ...(annotations && { annotations }) },
    }
  }

  #content(source: T): T {
    return this.#parts.references.toHost(hostContent(this.#syncer.resource, source))
  }

  #hostKeyOf(virtual: T): Key {
    const { name, resource } = this.#syncer
    const key = keyOf(virtual)
    const hostKey = this.#syncer.virtualToHost(key, virtual)
    if (hostKey) return hostKey
    throw new PluginError(
      'NO_HOST_NAME',
      `${resource.kind} ${formatKey(key)} has no host name, so it cannot be translated. ` +
        `Return a name from ${name}.virtualToHost, or do not call translateMetadata for this object.`,
    )
  }
}
