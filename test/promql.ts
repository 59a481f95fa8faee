// Reads expressions of Prometheus with its own grammar, for tests of alert rules and dashboards.
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric in an expression, with all labels that the expression uses of it. */
export interface UsedMetric {
  readonly name: string
  readonly labels: readonly string[]
}

/** The metrics of an expression. Throws if the grammar does not allow the expression. */
export function metricsOf(expression: string): UsedMetric[] {
  const used: UsedMetric[] = []
  const text = ({ from, to }: SyntaxNode) => expression.slice(from, to)
  parser.parse(expression).iterate({
    enter: ({ node, type, from }) => {
      if (type.isError) throw new Error(`"${expression}": not allowed at ${from}`)
      if (type.name !== 'VectorSelector') return
      const name = node.getChild('Identifier')
      if (!name) throw new Error(`"${expression}": a selector without a name at ${from}`)
      used.push({ name: text(name), labels: [...matched(node), ...grouped(node)].map(text) })
    },
  })
  return used
}

/** The labels that a selector compares. */
function matched(selector: SyntaxNode): SyntaxNode[] {
  return descendants(selector).filter(({ name }) => name === 'LabelName')
}

/** The labels by which the aggregations around a selector group. */
function grouped(selector: SyntaxNode): SyntaxNode[] {
  const labels: SyntaxNode[] = []
  for (let node = selector.parent; node; node = node.parent) {
    if (node.name !== 'AggregateExpr') continue
    const by = node.getChild('AggregateModifier')
    if (by) labels.push(...descendants(by).filter(({ name }) => name === 'LabelName'))
  }
  return labels
}

function descendants(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child, ...descendants(child))
  return all
}
