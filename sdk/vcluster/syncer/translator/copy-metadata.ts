import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { excludedKeys, hostAnnotations } from '../../naming/annotations.js'
import { hostLabels, isHelmRecord, virtualLabels } from '../../naming/labels.js'
import type { HostNaming } from '../../naming/naming.js'
import { isOwnershipKey } from '../../naming/ownership-keys.js'
import { builtInExcludedAnnotations } from '../references/built-in-references.js'
import { createKeyFilter } from './key-filter.js'
import type { OwnTranslatorOptions } from './translator-options.js'

/** The part of a `ReferenceTranslator` that is needed here. */
interface MetadataReferences {
  isTranslated(map: 'labels' | 'annotations', key: string): boolean
}

/** The labels and annotations that the copies of one kind get, by the options of their translator. */
export class CopyMetadata {
  readonly #resource: Resource
  readonly #naming: HostNaming
  readonly #acceptsLabel: (key: string) => boolean
  readonly #acceptsAnnotation: (key: string) => boolean
  readonly #excluded: ReadonlySet<string>
  readonly #excludedLabels: ReadonlySet<string>

  readonly #references: MetadataReferences

  constructor(
    resource: Resource,
    {
      naming,
      labels = {},
      annotations = {},
      excludedLabels = [],
      excludedAnnotations = [],
    }: OwnTranslatorOptions,
    references: MetadataReferences,
  ) {
    this.#references = references
    this.#resource = resource
    this.#naming = naming
    this.#excludedLabels = new Set(excludedLabels)
    this.#acceptsLabel = createKeyFilter(labels)
    this.#acceptsAnnotation = createKeyFilter(annotations)
    this.#excluded = excludedKeys([...builtInExcludedAnnotations(resource), ...excludedAnnotations])
  }

  /** The labels of a copy; `host` is the copy as it is, if it exists. */
  labels(virtual: KubeObject, host?: KubeObject): Record<string, string> {
    const { scheme, marker } = this.#naming
    return hostLabels(virtual, host, {
      scheme,
      marker,
      accepts: this.#acceptsLabel,
      excluded: this.#excludedLabels,
    })
  }

  /** The annotations of a copy; `host` is the copy as it is, if it exists. */
  annotations(
    virtual: KubeObject,
    { hostKey, host }: { hostKey: Key; host?: KubeObject },
  ): Record<string, string> {
    return hostAnnotations(virtual, host, {
      hostKey,
      resource: this.#resource,
      excluded: this.#excluded,
      accepts: this.#acceptsAnnotation,
    })
  }

  /** The labels and annotations of an original that its copy shares. */
  sharedOfVirtual({ metadata }: KubeObject): Pick<ObjectMeta, 'labels' | 'annotations'> {
    return this.#shared(metadata, metadata.labels)
  }

  /** The labels and annotations of a copy that its original shares, under the original's keys. */
  sharedOfHost(host: KubeObject, virtual: KubeObject): Pick<ObjectMeta, 'labels' | 'annotations'> {
    return this.#shared(host.metadata, virtualLabels(host, this.#naming.scheme, virtual))
  }

  #shared(
    { annotations = {} }: ObjectMeta,
    labels: Record<string, string> = {},
  ): Pick<ObjectMeta, 'labels' | 'annotations'> {
    return {
      labels: filterEntries(
        labels,
        (key, value) =>
          this.#acceptsLabel(key) &&
          this.#isOnCopies(key, value) &&
          !this.#references.isTranslated('labels', key),
      ),
      annotations: filterEntries(
        annotations,
        (key) =>
          isShared(key) &&
          !this.#excluded.has(key) &&
          this.#acceptsAnnotation(key) &&
          !this.#references.isTranslated('annotations', key),
      ),
    }
  }

  #isOnCopies(key: string, value: string): boolean {
    const hostKey = this.#naming.scheme.hostKey(key)
    return hostKey !== undefined && !this.#excludedLabels.has(hostKey) && !isHelmRecord(hostKey, value)
  }
}

/**
 * Whether an annotation is shared. Ownership annotations, and annotations that a tool has written for its own cluster,
 * are not: `kubectl apply` compares with the object that it applied in the same cluster.
 */
const isShared = (key: string) =>
  !isOwnershipKey(key) && key !== 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The accepted entries. `fromEntries` defines members and never assigns them: a key such as `__proto__` stays a key.
 */
function filterEntries(
  record: Record<string, string>,
  accepts: (key: string, value: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => accepts(key, value)))
}
