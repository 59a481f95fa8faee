import type { SourceFile } from './source-files.js'

const maxWidth = 120

/** The comments and the paragraphs of Markdown that are too wide. The formatter sees to the code. */
export function wideLines(files: readonly SourceFile[]): string[] {
  return files
    .flatMap(({ path, text }) =>
      (path.endsWith('.md') ? prose(text) : text.split('\n').map(comment)).map(at(path)),
    )
    .filter((found) => found !== undefined)
}

const at =
  (path: string) =>
  (line: string, index: number): string | undefined =>
    line.length > maxWidth && canBreak(line)
      ? `${path}:${index + 1}: ${line.length} characters, at most ${maxWidth}; wrap the text`
      : undefined

/** The line of a comment; empty for code. */
const comment = (line: string) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? line : '')

/** The lines of Markdown, in their places, without tables and code. */
function prose(text: string): string[] {
  let isCode = false
  return text.split('\n').map((line) => {
    const isFence = /^\s*(?:>\s*)?(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return isFence || isCode || /^\s*(?:>\s*)?\|/.test(line) || /^(?:#|!\[|\[!\[|<)/.test(line) ? '' : line
  })
}

/** Whether a line has a space to break at: an address, or a link of one word, has none. */
const canBreak = (line: string) =>
  line
    .replace(/^\s*(?:\/\/|\/?\*+|[-*>]|\d+\.)?\s*/, '')
    .slice(0, maxWidth)
    .replace(/\[[^\]]*$|`[^`]*$/, '')
    .trim()
    .includes(' ')
