import type { SourceFile } from './source-files.js'

/** The lines that spread an object literal into another: its members can be written in its place. */
export function spreadLiterals(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const lines = text.includes('...{ ') ? text.split('\n') : []
      return lines.flatMap((line, index) =>
        /\.\.\.\{ \w/.test(line) ? [`${path}:${index + 1}: a spread object literal; write its members`] : [],
      )
    })
}
