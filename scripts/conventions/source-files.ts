import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of a file of the project. */
export interface SourceFile {
  /** Its path from the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

/** The folders of the product, whose rooms are listed in ARCHITECTURE.md. */
const productFolders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli']
const folders = [...productFolders, 'examples', 'test', 'bench', 'scripts', 'bin', 'docs', 'packages']
const left =
  /(?:^|\/)(?:node_modules|gen|\.tap|\.vcluster-plugin|charts|dist)\/|^docs\/api\/|^test\/vectors\//

/** The TypeScript, JavaScript and Markdown of a project, without what is generated. */
export function sourceFiles(root: string): SourceFile[] {
  const within = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  return [...readdirSync(root), ...within]
    .filter((path) => /\.(?:[cm]?[jt]s|tsx|md)$/.test(path) && !left.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Whether a file is TypeScript of the product that is not a test. */
export const isProduct = (file: SourceFile): boolean => isProductCode(file) && file.path.endsWith('.ts')

/** The same with the components of the inspector's page. */
export const isProductCode = ({ path }: SourceFile): boolean =>
  /\.tsx?$/.test(path) && productFolders.includes(path.split('/')[0] ?? '') && !/\.(test|d)\.ts$/.test(path)
