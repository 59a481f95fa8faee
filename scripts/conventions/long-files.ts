import { isProduct, type SourceFile } from './source-files.js'

const maxLines = 250
/** Lists of names and tables of values. To split them helps no reader. */
const exceptions = [
  /(?:^|\/)index\.ts$/,
  /^apiserver\/schema\/(?:table|field-notes)\.ts$/,
  /^apiserver\/output\/columns\/definitions\.ts$/,
  /^sdk\/modules\/program\/version-vectors\.fixture\.ts$/,
]

/** The files of the product with too many lines. */
export function longFiles(files: readonly SourceFile[]): string[] {
  return files.filter(isProduct).flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    if (lines <= maxLines || exceptions.some((one) => one.test(path))) return []
    return [`${path}: ${lines} lines, at most ${maxLines}; move one of its ideas to a file of its own`]
  })
}
