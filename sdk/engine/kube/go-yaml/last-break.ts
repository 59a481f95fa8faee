import type { Scalar } from 'yaml'

/**
 * A block of text at the end of a document whose last line has no line break. Go's parser does not add one, as others
 * do. A last line of spaces belongs to the block if it is deeper than the block.
 */
export function withoutLastBreak(node: Scalar, text: string): Scalar {
  const { type, source = '', range } = node
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
  if (!isBlock || !source.endsWith('\n') || text.endsWith('\n') || range?.[1] !== text.length) return node
  const [, ...lines] = text.slice(range[0]).split('\n')
  if (!hasLastLine(lines)) return node
  return Object.assign(node.clone() as Scalar, { source: source.slice(0, -1) })
}

function hasLastLine(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? ''
  const indents = lines.filter((line) => /\S/.test(line)).map((line) => line.search(/\S/))
  return /\S/.test(last) || last.length > Math.min(...indents)
}
