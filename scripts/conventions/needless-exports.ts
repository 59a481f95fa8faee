import { isProduct, type SourceFile } from './source-files.js'

const valueName = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/gm
const typeName = /^export (?:declare )?(?:interface|type) (\w+)/gm
/** The begin of each declaration at the top of a file. */
const declaration =
  /^(?=(?:export |declare |abstract |async )*(?:const|let|function\*?|class|interface|type) )/m

/**
 * The values and types that a file of the product exports and no other file mentions. A type that another export of
 * its file mentions is exported, so that callers can name it.
 */
export function needlessExports(files: readonly SourceFile[]): string[] {
  const code = files.filter(({ path }) => !path.endsWith('.md'))
  const mentions = countMentions(code)
  return code
    .filter((file) => isProduct(file) && !/\/index\.ts$/.test(file.path))
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => mentions.get(name) === 1)
        .map((name) => `${file.path}: no other file uses ${name}; remove its \`export\``),
    )
}

/** The names that need another file that uses them. */
function exportsOf({ text }: SourceFile): string[] {
  const [values, types] = [valueName, typeName].map((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  )
  const exported = text.split(declaration).filter((part) => part.startsWith('export '))
  return [...(values ?? []), ...(types ?? []).filter((name) => countOf(exported, name) < 2)]
}

/** How many texts have a word. */
const countOf = (texts: readonly string[], word: string) =>
  texts.filter((text) => new RegExp(`\\b${word}\\b`).test(text)).length

/** The number of files that have a word. */
function countMentions(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of files)
    for (const word of new Set(text.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
