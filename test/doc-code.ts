// Compiles the TypeScript blocks of documents and doc comments. Each block is its own module, in the folder
// of the tutorial's plugin.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { sdkTypes } from './packed-sdk.js'

const indexes = {
  'sdk/index.ts': 'vcluster-plugin-sdk',
  'sdk/operator/index.ts': 'vcluster-plugin-sdk/operator',
  'sdk/helm/index.ts': 'vcluster-plugin-sdk/helm',
  'sdk/modules/index.ts': 'vcluster-plugin-sdk/modules',
  'sdk/cnpg/index.ts': 'vcluster-plugin-sdk/cnpg',
  'testing/cnpg/index.ts': 'vcluster-plugin-sdk/cnpg/testing',
  'testing/index.ts': 'vcluster-plugin-sdk/testing',
}

/** A block of TypeScript in a document. */
export interface CodeBlock {
  document: string
  /** The line of its first line of code, from 1. */
  line: number
  code: string
  /**
   * The code around the block, from a comment before it: `<!-- within: ... -->`. The block replaces a line `...` in it,
   * or follows it.
   */
  within: string
}

const block = /(?:^<!-- within:\n([\s\S]*?)-->\n+)?^```ts\n([\s\S]*?)^```$/gm

/** The blocks of a document, except those with a file name, which show that file. */
export function codeBlocks(document: string, text: string): CodeBlock[] {
  return [...text.matchAll(block)].map((match) => {
    const [whole, within = '', code = ''] = match
    const before = text.slice(0, match.index + whole.indexOf('```ts\n'))
    return { document, line: before.split('\n').length + 1, code, within }
  })
}

/** The compiler's errors in the blocks. Public names need no import. `others` change the options of the compiler. */
export async function mistakesIn(
  blocks: readonly CodeBlock[],
  root: string,
  others: ts.CompilerOptions = {},
): Promise<string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const paths = await sdkTypes()
  Object.assign(options, { verbatimModuleSyntax: false, isolatedModules: false, paths, ...others })
  const names = publicNames(root, options)
  const modules = new Map(
    blocks.map((block, i) => [
      join(root, `examples/sync-all-configmaps/block-${i}.ts`),
      moduleOf(block, names(block.document)),
    ]),
  )
  const program = ts.createProgram([...modules.keys()], options, hostWith(modules, options))
  return [...modules.keys()].flatMap((path, i) => {
    const file = program.getSourceFile(path)
    const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return problems.map(({ messageText }) => {
      return `${blocks[i]?.document}:${blocks[i]?.line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

/**
 * The public names with the entry point of each, for a document. Entry points may share a name; documents about
 * CloudNativePG mean theirs.
 */
function publicNames(root: string, options: ts.CompilerOptions): (document: string) => Map<string, string> {
  const all = Object.entries(indexes).flatMap(([index, specifier]) => {
    const text = readFileSync(join(root, index), 'utf8')
    const file = ts.createSourceFile(index, text, options.target ?? ts.ScriptTarget.ES2023)
    const exports = file.statements.filter(ts.isExportDeclaration).map(({ exportClause }) => exportClause)
    const named = exports.filter((clause) => clause !== undefined).filter(ts.isNamedExports)
    return named.flatMap(({ elements }) =>
      elements.map(({ name }): [string, string] => [name.text, specifier]),
    )
  })
  const isCnpg = ([, specifier]: [string, string]) => specifier.includes('/cnpg')
  const [theirs, others] = [all.filter(isCnpg), all.filter((one) => !isCnpg(one))]
  const [cnpg, rest] = [new Map([...others, ...theirs]), new Map([...theirs, ...others])]
  return (document) => (/\bcnpg\b/.test(document) ? cnpg : rest)
}

function moduleOf({ code, within }: CodeBlock, names: Map<string, string>): string {
  const body = within.includes('...\n') ? within.replace('...\n', () => code) : within + code
  const own = declaredIn(body)
  const words = new Set(body.match(/[\w$]+/g))
  const imports = [...names]
    .filter(([name]) => words.has(name) && !own.has(name))
    .map(([name, specifier]) => `import { ${name} } from '${specifier}'`)
  return [...imports, body, 'export {}'].join('\n')
}

/** The names that a module imports or declares at its top level. */
function declaredIn(text: string): Set<string> {
  const file = ts.createSourceFile('block.ts', text, ts.ScriptTarget.ES2023, true)
  const own = new Set<string>()
  const add = (node: ts.Node) => {
    if (
      (ts.isImportSpecifier(node) || ts.isDeclarationStatement(node) || ts.isVariableDeclaration(node)) &&
      node.name
    )
      own.add(node.name.getText())
  }
  for (const statement of file.statements) {
    add(statement)
    if (ts.isVariableStatement(statement)) statement.declarationList.declarations.forEach(add)
    if (!ts.isImportDeclaration(statement)) continue
    const bindings = statement.importClause?.namedBindings
    if (bindings && ts.isNamedImports(bindings)) bindings.elements.forEach(add)
  }
  return own
}

/** The files that were read before: programs of several calls share them. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** A compiler host whose file system contains these modules. */
function hostWith(modules: Map<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  return {
    ...host,
    fileExists: (path) => modules.has(path) || host.fileExists(path),
    readFile: (path) => modules.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = modules.get(path)
      if (text !== undefined) return ts.createSourceFile(path, text, rest[0], true)
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, ...rest))
      return parsed.get(path)
    },
  }
}
