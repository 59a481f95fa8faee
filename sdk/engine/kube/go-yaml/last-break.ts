import type { Scalar } from 'yaml'

/**
 * A block of text at the end of a document whose last line has no line break. Go's parser does not add one, as others
 * do.
 */
export function withoutLastBreak(node: Scalar, text: string): Scalar {
  const { type, source = '', range } = node
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
  if (!isBlock || !source.endsWith('\n') || text.endsWith('\n') || range?.[1] !== text.length) return node
  if (!isBreakAdded(text.slice(text.indexOf('\n', range[0]) + 1), source)) return node
  return Object.assign(node.clone() as Scalar, { source: source.slice(0, -1) })
}

/**
 * Whether the last break of a source is not in the lines of its block. A last line of spaces is part of the text only
 * beyond the indent; otherwise the break is the one before it.
 */
function isBreakAdded(lines: string, source: string): boolean {
  const lastBreak = lines.lastIndexOf('\n')
  const indent = indentOfFirst(lines) - indentOfFirst(source)
  return lastBreak < 0 || lines.length - lastBreak - 1 > indent
}

/** The spaces before the first character that is not one; infinite if there is none, as no line is longer. */
const indentOfFirst = (text: string) => /^ *(?=[^ \r\n])/m.exec(text)?.[0].length ?? Number.POSITIVE_INFINITY
