import { recordOf } from '../base/object.js'

/**
 * Formats a `meta/v1 LabelSelector` like `LabelSelectorAsSelector(…).String()` of k8s.io/apimachinery
 * v0.36.3: sorted by key, labels as `a=b` and expressions with their operator, even for one value. `''`
 * selects everything or nothing.
 */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = recordOf(selector)
  const labels = Object.entries(recordOf(matchLabels)).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }))
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.map(expressionText) : []
  return [...labels, ...expressions]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',')
}

function expressionText(expression: unknown): { key: string; text: string } {
  const { key: name, operator, values } = recordOf(expression)
  const key = String(name)
  const list = Array.isArray(values) ? [...values].sort().join(',') : ''
  if (operator === 'In') return { key, text: `${key} in (${list})` }
  if (operator === 'NotIn') return { key, text: `${key} notin (${list})` }
  return { key, text: operator === 'DoesNotExist' ? `!${key}` : key }
}
