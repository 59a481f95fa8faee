import { type Key, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject, ObjectMeta, OwnerReference } from '../../sdk/engine/kube/object.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { hostAnnotations, kindText, objectAnnotations } from './annotations.js'
import type { KindRules, ReferenceTranslator } from './kind-rules.js'
import { LabelTranslator } from './labels.js'
import {
  managedByLabel,
  objectHostName,
  objectHostNamespace,
  objectKind,
  objectName,
  objectNamespace,
  objectUid,
} from './metadata-keys.js'
import { hostNameOf } from './names.js'

/** Options of {@link HostTranslator}. */
export interface HostTranslatorOptions<T extends KubeObject> {
  vclusterName: string
  /** The host namespace of the copies. */
  hostNamespace: string
  version: VClusterVersion
  rules: Pick<KindRules<T>, 'resource' | 'translated'>
  /** The Service of the vcluster, which owns the copies; `undefined` if there is none. */
  owner: () => OwnerReference | undefined
}

/**
 * Creates the copies of one kind in the host cluster with their names, labels and annotations, and recognises
 * them.
 */
export class HostTranslator<T extends KubeObject = KubeObject> implements ReferenceTranslator {
  readonly vclusterName: string
  readonly labels: LabelTranslator
  readonly #options: HostTranslatorOptions<T>

  constructor(options: HostTranslatorOptions<T>) {
    this.#options = options
    this.vclusterName = options.vclusterName
    this.labels = new LabelTranslator(options.vclusterName, options.version)
  }

  /** The name of another object's copy in the host namespace. */
  hostName(key: Key): string {
    return hostNameOf(key, this.vclusterName)
  }

  /** The key of an object's copy. */
  hostKey(key: Key): Key {
    return { namespace: this.#options.hostNamespace, name: this.hostName(key) }
  }

  /** Creates a copy. It has no status, and no metadata of the virtual API server. */
  newCopy(virtual: T): T {
    const { resource, translated = (object) => object } = this.#options.rules
    const { namespace = '', labels = {} } = virtual.metadata
    const hostKey = this.hostKey(keyOf(virtual))
    const owner = this.#options.owner()
    const metadata: ObjectMeta = {
      ...hostKey,
      labels: this.labels.hostLabels(labels, namespace),
      annotations: hostAnnotations({ ...this.#options, resource, virtual, hostKey }),
      ...(owner && { ownerReferences: [{ ...owner, controller: hasController(virtual) }] }),
    }
    return { ...translated(withoutStatus(virtual), this), metadata }
  }

  /** Up to 0.20: the labels and annotations of an original for its existing copy. */
  replacedMetadata(virtual: T, host: T): Pick<ObjectMeta, 'labels' | 'annotations'> {
    const { namespace = '', labels = {} } = virtual.metadata
    const copy = { ...this.#options, ...this.#options.rules, virtual, hostKey: keyOf(host) }
    return {
      labels: this.labels.hostLabels(labels, namespace, host.metadata.labels),
      annotations: hostAnnotations({ ...copy, version: this.#options.version }, host.metadata.annotations),
    }
  }

  /** Since 0.21: these labels and annotations of a copy, with those that vcluster writes. */
  markedMetadata(virtual: T, host: T): Pick<ObjectMeta, 'labels' | 'annotations'> {
    const { version, rules } = this.#options
    const { labels = {}, annotations = {}, ...rest } = host.metadata
    const hostKey = keyOf({ metadata: rest })
    return {
      labels: { ...labels, ...this.labels.markersOf(virtual.metadata.namespace ?? '') },
      annotations: {
        ...annotations,
        ...objectAnnotations({ version, resource: rules.resource, virtual, hostKey }),
      },
    }
  }

  /** The original of a host object; `undefined` if the object is not a copy of this vcluster. */
  virtualKey(host: T): Key | undefined {
    const { labels, annotations = {} } = host.metadata
    const virtual = { namespace: annotations[objectNamespace] ?? '', name: annotations[objectName] ?? '' }
    const [copy, expected] = [keyOf(host), this.hostKey(virtual)]
    const isNamed =
      virtual.name !== '' && copy.namespace === expected.namespace && copy.name === expected.name
    const isMarked = labels?.[managedByLabel] === this.vclusterName
    return isNamed && isMarked && this.#isDescribedBy(annotations, copy) ? virtual : undefined
  }

  /** Whether the copy was made from an earlier object of the same name. */
  isOfEarlierObject(host: T, virtual: T): boolean {
    const uid = host.metadata.annotations?.[objectUid] ?? ''
    return uid !== '' && uid !== virtual.metadata.uid
  }

  /** Since 0.21 the kind, name and namespace in the annotations must be correct if present. */
  #isDescribedBy(annotations: Readonly<Record<string, string>>, copy: Key): boolean {
    const { version, rules } = this.#options
    const saysOr = (key: string, value: string) => (annotations[key] || value) === value
    return (
      version === '0.19' ||
      (saysOr(objectKind, kindText(rules.resource)) &&
        saysOr(objectHostName, copy.name) &&
        saysOr(objectHostNamespace, copy.namespace))
    )
  }
}

function withoutStatus<T extends KubeObject>(object: T): T {
  const members = Object.entries(object).filter(([member]) => member !== 'status')
  return Object.fromEntries(members) as unknown as T
}

const hasController = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ controller }) => controller === true) ?? false
