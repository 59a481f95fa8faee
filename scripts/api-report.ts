// Writes the public API as text, one page per entry point, so that a diff shows each change. `npm run api`
// writes the pages from the build's declarations. test/package.test.ts fails if they are not current.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

/** The entry points of the package: their pages, and their declarations in a build. */
const entryPoints = [
  { specifier: 'vcluster-plugin-sdk', page: 'docs/api/index.api.md', entry: 'sdk/index.d.ts' },
  {
    specifier: 'vcluster-plugin-sdk/operator',
    page: 'docs/api/operator.api.md',
    entry: 'sdk/operator/index.d.ts',
  },
  { specifier: 'vcluster-plugin-sdk/helm', page: 'docs/api/helm.api.md', entry: 'sdk/helm/index.d.ts' },
  {
    specifier: 'vcluster-plugin-sdk/modules',
    page: 'docs/api/modules.api.md',
    entry: 'sdk/modules/index.d.ts',
  },
  { specifier: 'vcluster-plugin-sdk/cnpg', page: 'docs/api/cnpg.api.md', entry: 'sdk/cnpg/index.d.ts' },
  {
    specifier: 'vcluster-plugin-sdk/cnpg/testing',
    page: 'docs/api/cnpg-testing.api.md',
    entry: 'testing/cnpg/index.d.ts',
  },
  { specifier: 'vcluster-plugin-sdk/testing', page: 'docs/api/testing.api.md', entry: 'testing/index.d.ts' },
]

/** The types of `vcluster-plugin-sdk/kubernetes` are generated from Kubernetes, and users can name all of them. */
const kubernetesTypes = '/kube/gen/'

/** A page of the report. */
export interface ApiPage {
  /** Path of the page, relative to the project's folder. */
  page: string
  text: string
  /**
   * The names of types that its exports mention and no entry point before it or itself exports: users cannot name them.
   */
  unexported: readonly string[]
}

/** Describes all exports of each entry point. */
export function apiReport(dist: string): ApiPage[] {
  const program = ts.createProgram(
    entryPoints.map(({ entry }) => join(dist, entry)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, noEmit: true },
  )
  const told = new Set<ts.Symbol>()
  return entryPoints.map(({ specifier, page, entry }) => {
    const entryPoint = new EntryPoint(program, resolve(dist, entry))
    const exported = entryPoint.exported()
    const members = entryPoint.members(exported)
    for (const symbol of [...exported.values(), ...members.values()]) told.add(symbol)
    const reached = entryPoint.reached([...exported.values(), ...members.values()], told)
    return {
      page,
      text: pageText(specifier, sections(exported, entryPoint), sections(members, entryPoint)),
      unexported: reached.map(([name]) => name).sort(),
    }
  })
}

/** An entry file, read by TypeScript's checker. */
class EntryPoint {
  readonly #checker: ts.TypeChecker
  readonly #file: ts.SourceFile
  readonly #printer = ts.createPrinter({ removeComments: true })
  readonly #folder: string

  constructor(program: ts.Program, path: string) {
    const file = program.getSourceFile(path)
    if (!file) throw new Error(`${path} is missing; build the package first`)
    this.#file = file
    this.#folder = dirname(dirname(path))
    this.#checker = program.getTypeChecker()
  }

  /** All exported names in order, with their symbols. */
  exported(): Map<string, ts.Symbol> {
    const module = this.#checker.getSymbolAtLocation(this.#file)
    const symbols = module ? this.#checker.getExportsOfModule(module) : []
    return named(symbols.map((symbol) => [symbol.name, this.#origin(symbol)]))
  }

  /** The functions that exported objects have as members, such as `k.quantity`, with these names. */
  members(exported: Map<string, ts.Symbol>): Map<string, ts.Symbol> {
    return named(
      [...exported].flatMap(([name, symbol]) =>
        this.#ownDeclarations(symbol)
          .filter(ts.isVariableStatement)
          .flatMap((statement) => this.#typeQueries(statement))
          .map((member): [string, ts.Symbol] => [`${name}.${member.name}`, member]),
      ),
    )
  }

  /** The symbols behind `typeof` in a declaration. */
  #typeQueries(statement: ts.VariableStatement): ts.Symbol[] {
    const found: ts.Symbol[] = []
    const visit = (node: ts.Node) => {
      const symbol = ts.isTypeQueryNode(node) && this.#checker.getSymbolAtLocation(node.exprName)
      if (symbol) found.push(this.#origin(symbol))
      ts.forEachChild(node, visit)
    }
    visit(statement)
    return found
  }

  /**
   * Declarations of the package that these symbols reach and that `told` does not contain; adds them to
   * `told`.
   */
  reached(from: ts.Symbol[], told: Set<ts.Symbol>): [string, ts.Symbol][] {
    const found: [string, ts.Symbol][] = []
    const waiting = from.flatMap((symbol) => this.#ownDeclarations(symbol))
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      for (const symbol of this.#mentioned(node)) {
        if (told.has(symbol)) continue
        told.add(symbol)
        found.push([symbol.name, symbol])
        waiting.push(...this.#ownDeclarations(symbol))
      }
    }
    return found
  }

  /** The declarations as text, without comments; a reference for a declaration of another package. */
  text(name: string, symbol: ts.Symbol): string {
    const own = this.#ownDeclarations(symbol)
    if (own.length === 0) return `${name} is another package's ${symbol.name}`
    return own.map((node) => this.#print(node)).join('\n')
  }

  #print(node: ts.Node): string {
    return this.#printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
  }

  #ownDeclarations(symbol: ts.Symbol): ts.Statement[] {
    const own = (symbol.declarations ?? []).map(statementOf).filter((statement) => statement !== undefined)
    return own.filter((statement) => {
      const { fileName } = statement.getSourceFile()
      return fileName.startsWith(this.#folder) && !fileName.includes(kubernetesTypes)
    })
  }

  /** The symbols of the package's own statements to which the names in a node refer. */
  #mentioned(node: ts.Node): ts.Symbol[] {
    const own: ts.Symbol[] = []
    const visit = (child: ts.Node) => {
      const symbol = ts.isIdentifier(child) ? this.#checker.getSymbolAtLocation(child) : undefined
      const origin = symbol && this.#origin(symbol)
      if (origin && this.#ownDeclarations(origin).length > 0) own.push(origin)
      ts.forEachChild(child, visit)
    }
    visit(node)
    return own
  }

  #origin(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }
}

/**
 * The statement of a module that declares a name; undefined for a declaration inside another, such as a
 * parameter.
 */
function statementOf(declaration: ts.Declaration): ts.Statement | undefined {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return ts.isStatement(node) && ts.isSourceFile(node.parent) ? node : undefined
}

function named(entries: [string, ts.Symbol][]): Map<string, ts.Symbol> {
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sections(symbols: Map<string, ts.Symbol>, entryPoint: EntryPoint): string {
  return [...symbols].map(([name, symbol]) => entryPoint.text(name, symbol)).join('\n\n')
}

function pageText(specifier: string, exported: string, members: string): string {
  const parts = [
    `# API of \`${specifier}\``,
    'Written by `npm run api`. A removed or changed line is a change that users may notice: describe it in CHANGELOG.md.',
    `\`\`\`ts\n${exported}\n\`\`\``,
    ...(members === '' ? [] : ['## Members of exported objects', `\`\`\`ts\n${members}\n\`\`\``]),
  ]
  return `${parts.join('\n\n')}\n`
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const { page, text, unexported } of apiReport(join(root, 'dist'))) {
    if (unexported.length > 0) console.warn(`${page}: users cannot name ${unexported.join(', ')}`)
    mkdirSync(dirname(join(root, page)), { recursive: true })
    writeFileSync(join(root, page), text)
    console.log(page)
  }
}
