import { pods } from '../../../engine/kube/builtin.js'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { JsonObject } from '../../../engine/kube/json-object.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { LabelSelector } from '../../../engine/kube/label-selector.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { HostNaming } from '../../naming/naming.js'
import { markerLabel, namespaceLabel } from '../../naming/ownership-keys.js'
import { virtualLabelSelector } from '../../naming/selectors.js'
import { HostReferences, type NamedAt, splitReference } from './host-references.js'
import { referenceAt } from './named-object.js'
import type { ObjectReference } from './reference-rules.js'
import type { FieldAt } from './rewrite-references.js'

/**
 * The virtual object of which the host object is provably the copy; `undefined` if it is not a copy, or does
 * not exist.
 */
export type FindSource = (resource: Resource, hostKey: Key, naming: HostNaming) => Promise<Key | undefined>

/** A reference of the host object to an object that the virtual object does not name. */
interface Missing {
  readonly reference: ObjectReference
  readonly hostKey: Key
}

/**
 * Translates the references of one host object back to the names of the virtual cluster. `ReferenceTranslator` uses it
 * in four steps: record the names that the virtual object has, record the missing ones, look these up, and translate.
 */
export class VirtualReferences {
  readonly #naming: HostNaming
  readonly #virtual: KubeObject
  readonly #down: HostReferences
  readonly #sources = new Map<string, Key>()
  readonly #missing = new Map<string, Missing>()
  /** The selectors of the virtual object by the JSON of those of its copy; the first of equal ones counts. */
  readonly #selectors = new Map<string, unknown>()

  constructor(naming: HostNaming, virtual: KubeObject) {
    this.#naming = naming
    this.#virtual = virtual
    this.#down = new HostReferences(naming, virtual)
  }

  /**
   * Records the host value of a field of the virtual object, because a hash, or a shortened name, cannot be translated
   * back.
   */
  recordKnown(field: FieldAt): undefined {
    const reference = referenceAt(field)
    const key = reference && this.#down.keyAt({ ...field, reference })
    const hostKey = key && this.#naming.of(reference.to, reference.names).hostKey(key)
    if (hostKey) this.#sources.set(idOf(reference.to, hostKey), key)
    if (reference || typeof field.rule !== 'string' || !field.rule.startsWith('label-')) return
    const host = this.#down.translate(field)?.[field.name]
    if (!host) return
    const id = canonicalJson(host)
    if (!this.#selectors.has(id)) this.#selectors.set(id, field.holder[field.name])
  }

  /** Records a name in the host object that is not in the virtual object. */
  recordMissing(field: FieldAt): undefined {
    const reference = referenceAt(field)
    const hostKey = reference && this.#hostKeyAt({ ...field, reference })
    if (!hostKey) return
    const id = idOf(reference.to, hostKey)
    if (!this.#sources.has(id)) this.#missing.set(id, { reference, hostKey })
  }

  /** Looks up the missing names. */
  async lookUpMissing(findSource: FindSource): Promise<void> {
    for (const [id, { reference, hostKey }] of this.#missing) {
      const key = await findSource(reference.to, hostKey, this.#naming.of(reference.to, reference.names))
      if (key) this.#sources.set(id, key)
    }
  }

  /**
   * The new values of a field that refers to objects, and of the field with its namespace; `undefined` for no change.
   */
  translate(field: FieldAt): JsonObject | undefined {
    const { rule, name, holder } = field
    const value = holder[name]
    if (value === undefined || value === null || value === '') return undefined
    if (rule === 'label-selector') return { [name]: this.#selector(value as LabelSelector) }
    if (rule === 'label-map')
      return { [name]: this.#selector({ matchLabels: value as Record<string, string> }, value).matchLabels }
    const reference = referenceAt(field)
    return reference && this.#virtualMembers({ ...field, reference })
  }

  #virtualMembers(field: NamedAt): JsonObject | undefined {
    const { reference, name, holder } = field
    const hostKey = this.#hostKeyAt(field)
    const key = hostKey && this.#sources.get(idOf(reference.to, hostKey))
    const namespace = reference.namespace && holder[reference.namespace] ? reference.namespace : undefined
    if (key && (namespace || key.namespace === '' || key.namespace === this.#virtual.metadata.namespace)) {
      const isQualified = splitReference(reference, String(holder[name])).namespace !== undefined
      const text = isQualified ? `${key.namespace}/${key.name}` : key.name
      return { [name]: text, ...(namespace && { [namespace]: key.namespace }) }
    }
    throw new PermanentError(
      `${name} of the copy names the ${reference.to.kind} ${hostKey ? formatKey(hostKey) : ''} of the host, which ` +
        'is not the copy of an object that the original could name, so it is not brought to the virtual cluster.',
    )
  }

  #hostKeyAt({ reference, name, holder }: NamedAt): Key | undefined {
    const value = holder[name]
    if (typeof value !== 'string' || value === '') return undefined
    const { name: object, namespace } = splitReference(reference, value)
    if (!reference.to.namespaced) return { namespace: '', name: object }
    const writtenNamespace = namespace ?? (reference.namespace ? holder[reference.namespace] : undefined)
    return {
      name: object,
      namespace:
        typeof writtenNamespace === 'string' && writtenNamespace !== ''
          ? writtenNamespace
          : this.#defaultHostNamespace(reference),
    }
  }

  /** The host namespace of names that have no namespace. */
  #defaultHostNamespace({ to, names }: ObjectReference): string {
    const { namespace = '', name = '' } = this.#virtual.metadata
    return this.#naming.of(to, names).hostKey({ namespace, name })?.namespace ?? ''
  }

  /**
   * The selector in the virtual cluster: that of the virtual object if it is known for `hostValue`, else the selector
   * without the labels that the copy adds. `hostValue` is the field as it is on the host, which may be a plain map.
   */
  #selector(selector: LabelSelector, hostValue: unknown = selector): LabelSelector {
    const knownSelector = this.#selectors.get(canonicalJson(hostValue))
    if (knownSelector !== undefined)
      return hostValue === selector
        ? (knownSelector as LabelSelector)
        : { matchLabels: knownSelector as Record<string, string> }
    const { [markerLabel]: _, [namespaceLabel]: __, ...matchLabels } = selector.matchLabels ?? {}
    return virtualLabelSelector({ ...selector, matchLabels }, this.#naming.of(pods).scheme) ?? {}
  }
}

const idOf = (resource: Resource, key: Key) => `${formatResource(resource)} ${formatKey(key)}`
