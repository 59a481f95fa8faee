import { PermanentError } from '../../engine/kube/error.js'
import type { LabelSelector } from '../../engine/kube/label-selector.js'
import { convertLabelKey, type LabelScheme } from './labels.js'
import { markerLabel, namespaceLabel, namespaceLabelPrefix } from './ownership-keys.js'

/** Options of {@link hostLabelSelector}. */
export interface HostLabelSelectorOptions {
  scheme: LabelScheme
  /** Selects only copies of objects of this virtual namespace; default all namespaces. */
  namespace?: string | undefined
  /** The marker label's value; needed with `namespace`. */
  marker: string
}

/**
 * Translates a selector of virtual objects to a selector of their copies, with the label keys of the copies
 * (`TranslateLabelSelector` in `pkg/util/translate/single_namespace.go` @ vcluster v0.20.1). An undefined selector
 * stays undefined, and an empty selector stays empty: without `namespace` it selects the whole host namespace.
 *
 * Throws `PermanentError` for a key that copies do not carry: without that key the selector would select more objects.
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
 * Translates a selector of copies to a selector of their originals. Throws `PermanentError` for a key that no virtual
 * object has, or of which only a hash is known.
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
 * Translates a selector of virtual namespaces to a selector of copies of Pods, which carry the labels of their
 * namespace under separate keys (`vcluster.loft.sh/ns-label-…`).
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
 * Merges selectors to one that selects the objects that all of them select. If two selectors have a value for one
 * label, the later value counts.
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
