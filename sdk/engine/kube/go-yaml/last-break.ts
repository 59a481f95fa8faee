import type { Scalar } from 'yaml'

/**
 * Removes the last line break of a block of text at the end of a document whose last line has no line break. Go's
 * parser does not add a line break there; other parsers do.
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
 * beyond the indent; otherwise the last break is the break before that line.
 */
function isBreakAdded(lines: string, source: string): boolean {
  const lastBreak = lines.lastIndexOf('\n')
  const indent = indentOfFirst(lines) - indentOfFirst(source)
  return lastBreak < 0 || lines.length - lastBreak - 1 > indent
}

/** The number of spaces before the first other character; infinite if there is no other character. */
const indentOfFirst = (text: string) => /^ *(?=[^ \r\n])/m.exec(text)?.[0].length ?? Number.POSITIVE_INFINITY
