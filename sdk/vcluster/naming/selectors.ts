import { PermanentError } from '../../engine/kube/error.js'
import type { LabelSelector } from '../../engine/kube/label-selector.js'
import { convertLabelKey, type LabelScheme } from './labels.js'
import { markerLabel, namespaceLabel, namespaceLabelPrefix } from './ownership-keys.js'

/** Options of {@link hostLabelSelector}. */
export interface HostLabelSelectorOptions {
  scheme: LabelScheme
  /** Adds that only copies of this virtual namespace are meant; default none. */
  namespace?: string | undefined
  /** The marker label's value; needed with `namespace`. */
  marker: string
}

/**
 * A selector of virtual objects as a selector of their copies: the same, with the keys that the copies have
 * (`TranslateLabelSelector` in `pkg/util/translate/single_namespace.go` @ vcluster v0.20.1). Nothing stays nothing, and
 * an empty selector stays empty: without `namespace` it means all of the host namespace.
 *
 * Throws `PermanentError` for a key that copies do not carry: left out, it would make the selector mean more.
 *
 * @example
 * ```ts
 * const web: LabelSelector = { matchLabels: { app: 'web' } }
 * const webOnHost = (syncer: Translator) => hostLabelSelector(web, { ...syncer.naming, namespace: 'default' })
 * ```
 */
export function hostLabelSelector(
  selector: LabelSelector | undefined,
  { scheme, namespace, marker }: HostLabelSelectorOptions,
): LabelSelector | undefined {
  const translated = withKeys(selector, (key) => scheme.hostKey(key))
  if (translated === undefined || namespace === undefined) return translated
  return mergeLabelSelectors(translated, {
    matchLabels: { [namespaceLabel]: namespace, [markerLabel]: marker },
  })
}

/**
 * A selector of copies as a selector of their originals. Throws `PermanentError` for a key that no virtual object has,
 * or of which only a hash is known.
 *
 * @example
 * ```ts
 * const webOnHost: LabelSelector = { matchLabels: { app: 'web' } }
 * const web = (syncer: Translator) => virtualLabelSelector(webOnHost, syncer.naming.scheme)
 * ```
 */
export function virtualLabelSelector(
  selector: LabelSelector | undefined,
  scheme: LabelScheme,
): LabelSelector | undefined {
  return withKeys(selector, (key) => scheme.virtualKey(key))
}

/**
 * A selector of virtual namespaces as a selector of Pods' copies, which carry the labels of their namespace under keys
 * of their own (`vcluster.loft.sh/ns-label-…`).
 *
 * @example
 * ```ts
 * console.log(namespaceLabelSelector({ matchLabels: { team: 'blue' } }, 'my-vcluster'))
 * ```
 */
export function namespaceLabelSelector(
  selector: LabelSelector | undefined,
  vclusterName: string,
): LabelSelector | undefined {
  return withKeys(selector, (key) => convertLabelKey(key, vclusterName, { prefix: namespaceLabelPrefix }))
}

/**
 * One selector for what all of these select; of two values for one label the later counts.
 *
 * @example
 * ```ts
 * const web = { matchLabels: { app: 'web' } }
 * const blue = { matchLabels: { team: 'blue' } }
 * console.log(mergeLabelSelectors(web, blue).matchLabels) // { app: 'web', team: 'blue' }
 * ```
 */
export function mergeLabelSelectors(...selectors: readonly (LabelSelector | undefined)[]): LabelSelector {
  const labels = selectors.flatMap((selector) => Object.entries(selector?.matchLabels ?? {}))
  const expressions = selectors.flatMap((selector) => selector?.matchExpressions ?? [])
  return {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  }
}

function withKeys(
  selector: LabelSelector | undefined,
  translate: (key: string) => string | undefined,
): LabelSelector | undefined {
  if (!selector) return undefined
  const { matchLabels, matchExpressions } = selector
  const keyOf = (key: string) => {
    const translated = translate(key)
    if (translated !== undefined) return translated
    throw new PermanentError(`the label ${key} is on one side only, so no selector with it can be translated`)
  }
  return {
    ...(matchLabels && {
      matchLabels: Object.fromEntries(Object.entries(matchLabels).map(([key, value]) => [keyOf(key), value])),
    }),
    ...(matchExpressions && {
      matchExpressions: matchExpressions.map((expression) => ({ ...expression, key: keyOf(expression.key) })),
    }),
  }
}
