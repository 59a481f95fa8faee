import { type Alias, type Document, type Node, visit } from 'yaml'

/** The node that each alias of a document names: the last one before it with its anchor. One walk finds all of them. */
export function namedNodes(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>()
  const named = new Map<Alias, Node>()
  visit(document, {
    Alias(_, alias) {
      const node = anchors.get(alias.source)
      if (node) named.set(alias, node)
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return named
}
