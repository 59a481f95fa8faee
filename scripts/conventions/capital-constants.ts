import type { SourceFile } from './source-files.js'

const folders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli', 'bench']
const capitals = /^\s*(?:export )?(?:const|let) ([A-Z][A-Z0-9_]+)\b/

/** The constants in capitals; those of the product and of the benchmarks are in camel case. */
export function capitalConstants(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /\.tsx?$/.test(path) && folders.includes(path.split('/')[0] ?? ''))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const [, name] = capitals.exec(line) ?? []
        return name === undefined ? [] : [`${path}:${index + 1}: ${name} is in capitals; use camel case`]
      }),
    )
}
