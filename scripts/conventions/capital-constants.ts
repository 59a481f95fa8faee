import type { SourceFile } from './source-files.js'

const capitals = /^\s*(?:export )?(?:const|let) ([A-Z][A-Z0-9_]+)\b/

/** The constants in capitals; all are in camel case. */
export function capitalConstants(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /\.(tsx?|mts|mjs)$/.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const [, name] = capitals.exec(line) ?? []
        return name === undefined ? [] : [`${path}:${index + 1}: ${name} is in capitals; use camel case`]
      }),
    )
}
