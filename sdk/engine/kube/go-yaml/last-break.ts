import type { Scalar } from 'yaml'

/**
 * A block of text at the end of a document whose last line has no line break. Go's parser does not add one, as others
 * do.
 */
export function withoutLastBreak(node: Scalar, text: string): Scalar {
  const { type, source = '', range } = node
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
  if (!isBlock || !source.endsWith('\n') || text.endsWith('\n') || range?.[1] !== text.length) return node
  return Object.assign(node.clone() as Scalar, { source: source.slice(0, -1) })
}
