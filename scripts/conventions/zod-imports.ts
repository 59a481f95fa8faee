import type { SourceFile } from './source-files.js'

/**
 * The lines that import all of zod as one object: a bundle then contains each of its locales, half a megabyte that is
 * read at the start. `import * as z` leaves out what is not used.
 */
export function zodImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => (/import \{[^}]*\bz\b[^}]*\} from 'zod'/.test(line) ? index + 1 : 0))
      .filter((line) => line > 0)
      .map((line) => `${path}:${line}: all of zod in one object; write import * as z from 'zod'`),
  )
}
