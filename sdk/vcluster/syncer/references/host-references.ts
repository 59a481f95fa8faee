import { pods } from '../../../engine/kube/builtin.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { isJsonObject, type JsonObject } from '../../../engine/kube/json-object.js'
import type { Key } from '../../../engine/kube/key.js'
import type { LabelSelector } from '../../../engine/kube/label-selector.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { HostNaming } from '../../naming/naming.js'
import { markerLabel } from '../../naming/ownership-keys.js'
import { hostLabelSelector, mergeLabelSelectors } from '../../naming/selectors.js'
import { referenceAt } from './named-object.js'
import type { ObjectReference } from './reference-rules.js'
import type { FieldAt } from './rewrite-references.js'

/**
 * Translates the references of one virtual object to the names of the copies on the host. `ReferenceTranslator` makes
 * one for each translated object, and calls `translate` for each field that has a rule.
 */
export class HostReferences {
  readonly #naming: HostNaming
  readonly #namespace: string

  constructor(naming: HostNaming, virtual: KubeObject) {
    this.#naming = naming
    this.#namespace = virtual.metadata.namespace ?? ''
  }

  /**
   * The new values of a field that refers to objects, and of the field with its namespace; `undefined` for no change.
   */
  translate({ rule, name, holder }: FieldAt): JsonObject | undefined {
    const value = holder[name]
    if (value === undefined || value === null || value === '') return undefined
    if (rule === 'label-selector') return { [name]: this.#selector(asSelector(value, name)) }
    if (rule === 'label-map') return this.#labelMap(name, asSelector(value, name))
    const reference = referenceAt({ rule, name, holder })
    return reference && this.#hostMembers({ reference, name, holder })
  }

  /** The key of the virtual object that a field names; `undefined` if it names none. */
  keyAt({ reference, name, holder }: NamedAt): Key | undefined {
    const value = holder[name]
    if (typeof value !== 'string' || value === '') return undefined
    const { name: object, namespace: writtenNamespace } = splitReference(reference, value)
    if (!reference.to.namespaced) return { name: object, namespace: '' }
    const namespace = writtenNamespace ?? this.#namespaceAt({ reference, name, holder })
    if (reference.onlyOwnNamespace && namespace !== this.#namespace)
      throw new PermanentError(
        `${name} ${JSON.stringify(value)} is that of a ${reference.to.kind} of the namespace ${JSON.stringify(namespace)}, ` +
          'whose consent is not checked, so the object is not copied. Name an object of its own namespace.',
      )
    return { name: object, namespace }
  }

  #hostMembers(field: NamedAt): JsonObject {
    const { reference, name, holder } = field
    const key = this.keyAt(field)
    const hostKey = key && this.#naming.of(reference.to, reference.names).hostKey(key)
    if (!hostKey) throw new PermanentError(`${name} is not the name of a ${reference.to.kind}: write a text`)
    const { namespace } = reference
    const hasNamespace = namespace !== undefined && Boolean(holder[namespace])
    const isQualified = splitReference(reference, String(holder[name])).namespace !== undefined
    const text = isQualified ? `${hostKey.namespace}/${hostKey.name}` : hostKey.name
    return { [name]: text, ...(hasNamespace && { [namespace]: hostKey.namespace }) }
  }

  #namespaceAt({ reference, name, holder }: NamedAt): string {
    const namespace = reference.namespace ? holder[reference.namespace] : undefined
    if (typeof namespace === 'string' && namespace !== '') return namespace
    if (this.#namespace !== '') return this.#namespace
    throw new PermanentError(
      `${name} names a ${reference.to.kind} and does not say in which namespace, so the object is not copied. ` +
        `Write it next to the name${reference.namespace ? ` as ${reference.namespace}` : ''}.`,
    )
  }

  /** Selects only copies of this vcluster, and for a namespaced object only those from its namespace. */
  #selector(selector: LabelSelector): LabelSelector {
    const { scheme, marker } = this.#naming.of(pods)
    const namespace = this.#namespace === '' ? undefined : this.#namespace
    const translated = hostLabelSelector(selector, { scheme, marker, namespace }) ?? {}
    return namespace
      ? translated
      : mergeLabelSelectors(translated, { matchLabels: { [markerLabel]: marker } })
  }

  /** An empty map, such as the selector of a Service, selects nothing. With labels added it would select Pods. */
  #labelMap(name: string, labels: JsonObject): JsonObject | undefined {
    if (Object.keys(labels).length === 0) return undefined
    return { [name]: this.#selector({ matchLabels: labels as Record<string, string> }).matchLabels }
  }
}

/** A field that names an object. */
export interface NamedAt extends Omit<FieldAt, 'rule'> {
  readonly reference: ObjectReference
}

/** The name in a text `NAME`, or `NAMESPACE/NAME` if the rule allows that. */
export function splitReference(
  { qualified }: ObjectReference,
  text: string,
): { name: string; namespace?: string } {
  const slash = qualified ? text.indexOf('/') : -1
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

function asSelector(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value
  throw new PermanentError(`${name} selects by labels, and is not an object: write { matchLabels: … }`)
}
