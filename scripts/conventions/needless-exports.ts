import { isProduct, type SourceFile } from './source-files.js'

const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/gm

/**
 * The values that a file of the product exports and no other file mentions. The types of their parameters are exported
 * so that callers can name them.
 */
export function needlessExports(files: readonly SourceFile[]): string[] {
  const code = files.filter(({ path }) => !path.endsWith('.md'))
  const mentions = countMentions(code)
  return code
    .filter((file) => isProduct(file) && !/\/index\.ts$/.test(file.path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)]
        .map(([, name = '']) => name)
        .filter((name) => mentions.get(name) === 1)
        .map((name) => `${path}: no other file uses ${name}; remove its \`export\``),
    )
}

/** The number of files that have a word. */
function countMentions(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of files)
    for (const word of new Set(text.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
