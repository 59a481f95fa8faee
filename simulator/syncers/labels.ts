import type { LabelSelector } from '../../sdk/engine/kube/label-selector.js'
import type { VClusterVersion } from '../vcluster-options.js'
import {
  controlledBy,
  managedByLabel,
  namespaceLabelPrefix,
  releaseLabel,
  virtualNamespaceLabel,
} from './metadata-keys.js'
import { hashedLabelKey } from './names.js'

/** The labels, annotations, or match labels of an object. */
export type StringMap = Readonly<Record<string, string>>

/** The labels that vcluster still hashes since 0.21; see pkg/util/translate/labels.go @ vcluster v0.33.1. */
const hashedSince21 = [releaseLabel, virtualNamespaceLabel, managedByLabel, controlledBy]

/**
 * Translates the labels of a vcluster's copies. Up to 0.20 every key is hashed, since 0.21 only the four that
 * vcluster uses itself.
 */
export class LabelTranslator {
  readonly #vclusterName: string
  readonly #hashesAll: boolean
  readonly #hashes: ReadonlyMap<string, string>
  readonly #plain: ReadonlyMap<string, string>

  constructor(vclusterName: string, version: VClusterVersion) {
    this.#vclusterName = vclusterName
    this.#hashesAll = version === '0.19'
    this.#hashes = new Map(hashedSince21.map((key) => [key, hashedLabelKey(key, vclusterName)]))
    this.#plain = new Map([...this.#hashes].map(([key, hash]) => [hash, key]))
  }

  /** The key on the host; `undefined` for a label that stays in the virtual cluster because its key looks hashed. */
  hostKey(key: string): string | undefined {
    if (this.#hashesAll) return hashedLabelKey(key, this.#vclusterName)
    return this.#plain.has(key) ? undefined : (this.#hashes.get(key) ?? key)
  }

  /** The key in the virtual cluster; `undefined` for a label that stays on the host. */
  virtualKey(key: string): string | undefined {
    const staysOnHost = this.#hashes.has(key) || key.startsWith(namespaceLabelPrefix)
    return this.#hashesAll || staysOnHost ? undefined : (this.#plain.get(key) ?? key)
  }

  /** The labels of a copy. Of `host`, its present labels, only `controlled-by` is kept. */
  hostLabels(virtual: StringMap, namespace: string, host: StringMap = {}): Record<string, string> {
    const controllerMark = Object.hasOwn(host, controlledBy)
      ? { [controlledBy]: host[controlledBy] ?? '' }
      : {}
    return { ...this.#translated(virtual), ...controllerMark, ...this.markersOf(namespace) }
  }

  /** The labels that identify vcluster's copies. */
  markersOf(namespace: string): Record<string, string> {
    return { [managedByLabel]: this.#vclusterName, [virtualNamespaceLabel]: namespace }
  }

  /** The selector of Pods of a Service, translated to select the copies of Pods of that namespace. */
  matchLabels(selector: StringMap, namespace: string): Record<string, string> {
    return { ...this.#translated(selector), ...this.markersOf(namespace) }
  }

  /** A label selector with the keys of the host. */
  selector({ matchLabels, matchExpressions }: LabelSelector): LabelSelector {
    const expressions = matchExpressions?.map((expression) => ({
      ...expression,
      key: this.hostKey(expression.key) ?? expression.key,
    }))
    return {
      ...(matchLabels && { matchLabels: this.#translated(matchLabels) }),
      ...(expressions && { matchExpressions: expressions }),
    }
  }

  #translated(labels: StringMap): Record<string, string> {
    const translated = Object.entries(labels).flatMap(([key, value]) => {
      const hostKey = this.hostKey(key)
      return hostKey === undefined ? [] : [[hostKey, value] as const]
    })
    return Object.fromEntries(translated)
  }
}
