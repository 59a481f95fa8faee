import { type Alias, type Document, type Node, visit } from 'yaml'

/**
 * Finds the node that each alias of a document names, in one walk: the last node before the alias that has its anchor.
 */
export function namedNodes(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>()
  const nodesByAlias = new Map<Alias, Node>()
  visit(document, {
    Alias(_, alias) {
      const node = anchors.get(alias.source)
      if (node) nodesByAlias.set(alias, node)
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return nodesByAlias
}
