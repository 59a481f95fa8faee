import type { DiffLine } from '../../../engine/inspector/explanation-view.js'

/** The maximum number of lines of either text that are compared; a longer middle part counts as different. */
const maxLines = 1500

/** Puts two texts side by side, with equal lines in one row. */
export function lineDiff(virtual: string, host: string): DiffLine[] {
  const left = linesOf(virtual)
  const right = linesOf(host)
  const head = sharedHead(left, right)
  const tail = sharedHead(left.slice(head).reverse(), right.slice(head).reverse())
  const middle = middleOf(left.slice(head, left.length - tail), right.slice(head, right.length - tail))
  const same = (line: string): DiffLine => ({ virtual: line, host: line, same: true })
  return [...left.slice(0, head).map(same), ...middle, ...left.slice(left.length - tail).map(same)]
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function sharedHead(left: readonly string[], right: readonly string[]): number {
  let count = 0
  while (count < left.length && count < right.length && left[count] === right[count]) count++
  return count
}

function middleOf(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length > maxLines || right.length > maxLines) return sideBySide(left, right)
  const lengths = commonLengths(left, right)
  const commonFrom = (i: number, j: number) => lengths[i * (right.length + 1) + j] ?? 0
  const lines: DiffLine[] = []
  const unmatched = { left: [] as string[], right: [] as string[] }
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const [leftLine, rightLine] = [left[i], right[j]]
    if (leftLine !== undefined && leftLine === rightLine) {
      lines.push(...sideBySide(unmatched.left.splice(0), unmatched.right.splice(0)), {
        virtual: leftLine,
        host: leftLine,
        same: true,
      })
      i++
      j++
    } else if (
      rightLine === undefined ||
      (leftLine !== undefined && commonFrom(i + 1, j) >= commonFrom(i, j + 1))
    ) {
      unmatched.left.push(leftLine ?? '')
      i++
    } else {
      unmatched.right.push(rightLine)
      j++
    }
  }
  return [...lines, ...sideBySide(unmatched.left, unmatched.right)]
}

/** Puts different lines side by side in pairs, to save room. */
function sideBySide(left: readonly string[], right: readonly string[]): DiffLine[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    virtual: left[index] ?? null,
    host: right[index] ?? null,
    same: false,
  }))
}

/** The length of the longest common subsequence from each pair of lines on. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const below = lengths[(i + 1) * width + j] ?? 0
      const next = lengths[i * width + j + 1] ?? 0
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1
      lengths[i * width + j] = left[i] === right[j] ? both : Math.max(below, next)
    }
  }
  return lengths
}
