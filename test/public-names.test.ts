import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import ts from 'typescript'
import { examplesOf, isCallable, publicNamesOf } from './doc-examples.js'

const indexes = [
  'sdk/index.ts',
  'sdk/operator/index.ts',
  'sdk/helm/index.ts',
  'sdk/modules/index.ts',
  'sdk/cnpg/index.ts',
  'testing/cnpg/index.ts',
  'testing/index.ts',
]
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const program = ts.createProgram(indexes, options)
const checker = program.getTypeChecker()

/** Every name that an index exports, resolved to its declaration. */
function exportsOf(index: string): ts.Symbol[] {
  const file = program.getSourceFile(index)
  const module = file && checker.getSymbolAtLocation(file)
  const names = module ? checker.getExportsOfModule(module) : []
  return names.map((name) => (name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name))
}

/** Members that a user sees: of interfaces and classes, without `#private` ones and overridden ones. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const members = [...(symbol.members?.values() ?? [])]
  return members.filter((member) => {
    const declaration = member.valueDeclaration ?? member.declarations?.[0]
    if (
      !declaration ||
      ts.isConstructorDeclaration(declaration) ||
      ts.isTypeParameterDeclaration(declaration)
    )
      return false
    const name = ts.getNameOfDeclaration(declaration)
    return name !== undefined && !ts.isPrivateIdentifier(name)
  })
}

const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0

for (const index of indexes) {
  void t.test(`every name that ${index} exports is documented`, async (t) => {
    const names = exportsOf(index)
    t.ok(names.length > 0)
    t.same(
      names.filter((name) => !isDocumented(name)).map(({ name }) => name),
      [],
    )
  })
}

void t.test('every method that users override or call is documented', async (t) => {
  const classes = [
    'Syncer',
    'Reconciler',
    'FakeSyncer',
    'Translator',
    'UpTranslator',
    'Plugin',
    'Client',
    'Store',
    'TestPlugin',
  ]
  const undocumented = indexes
    .flatMap(exportsOf)
    .filter(({ name }) => classes.includes(name))
    .flatMap((symbol) =>
      membersOf(symbol)
        .filter((member) => !isDocumented(member))
        .map((member) => `${symbol.name}.${member.name}`),
    )
  t.same(undocumented, [])
})

/** Public classes and functions without an `@example`. The list may only become shorter. */
const withoutExample: Readonly<Record<string, readonly string[]>> = {
  'sdk/index.ts': [],
  'sdk/operator/index.ts': [],
  'sdk/helm/index.ts': [],
  'sdk/modules/index.ts': [],
  'sdk/cnpg/index.ts': [],
  'testing/cnpg/index.ts': [],
  'testing/index.ts': [],
}

for (const index of indexes) {
  void t.test(`every class and function that ${index} exports has an @example`, async (t) => {
    const callable = publicNamesOf(index, '.').filter(isCallable)
    t.ok(callable.length > 1, `${callable.length} classes and functions`)
    t.same(
      callable
        .filter((one) => examplesOf(one).length === 0)
        .map(({ name }) => name)
        .sort(),
      withoutExample[index],
    )
  })
}

void t.test('an @example in testing/index.ts has three to ten lines of code', async (t) => {
  for (const { name, file, statements } of publicNamesOf('testing/index.ts', '.')) {
    for (const { code } of examplesOf({ name, file, statements })) {
      const lines = code.split('\n').filter((line) => line !== '' && !line.startsWith('import ')).length
      t.ok(lines >= 3 && lines <= 10, `${name}: ${lines} lines`)
    }
  }
})

/** The tutorials of an entry point: a newcomer reads one of them first. */
const tutorials: Readonly<Record<string, readonly string[]>> = {
  'sdk/index.ts': ['tutorial'],
  'sdk/operator/index.ts': ['tutorial-operator'],
  'sdk/helm/index.ts': ['tutorial-helm'],
  'sdk/modules/index.ts': ['tutorial-modules'],
  'sdk/cnpg/index.ts': ['tutorial-cnpg'],
  'testing/cnpg/index.ts': ['tutorial-cnpg'],
  'testing/index.ts': ['tutorial', 'tutorial-operator'],
}

/** The names in an index before the second caption. */
function firstNamesOf(index: string): string[] {
  const source = program.getSourceFile(index)
  const statements = source?.statements.filter(ts.isExportDeclaration) ?? []
  const hasCaption = (statement: ts.Statement) =>
    ts.getLeadingCommentRanges(source?.text ?? '', statement.getFullStart()) !== undefined
  const second = statements.findIndex((statement, place) => place > 0 && hasCaption(statement))
  return statements
    .slice(0, second === -1 ? statements.length : second)
    .flatMap(({ exportClause }) =>
      exportClause && ts.isNamedExports(exportClause)
        ? exportClause.elements.map(({ name }) => name.text)
        : [],
    )
}

/** The names that the code of a page imports from an entry point. */
function importedIn(page: string, index: string): string[] {
  const room = index.replace(/^sdk\//, '').replace(/^testing\/cnpg\//, 'cnpg/testing/')
  const specifier = ['vcluster-plugin-sdk', ...room.split('/').slice(0, -1)].join('/')
  return [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)]
    .filter(([, , from]) => from === specifier)
    .flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
    .filter((name) => name !== 'type')
}

for (const index of indexes) {
  void t.test(
    `${index} begins with at most 15 names, and those of the tutorial are among them`,
    async (t) => {
      const first = firstNamesOf(index)
      t.ok(first.length >= 5 && first.length <= 15, `${first.length} names`)
      const imported = (tutorials[index] ?? []).flatMap((page) => importedIn(page, index))
      t.ok(imported.length > 0)
      t.same(
        imported.filter((name) => !first.includes(name)),
        [],
      )
    },
  )
}

/** The pages that a user reads: not the reports of the API, decisions, and lists of former names. */
function guides(): string {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  const isGuide = (page: string) =>
    page.endsWith('.md') && !/^(api|adr|benchmarks)\//.test(page) && page !== 'guides/upgrading.md'
  return pages
    .filter(isGuide)
    .map((page) => readFileSync(`docs/${page}`, 'utf8'))
    .join('\n')
}

void t.test('every class and function that an entry point exports is named in a guide', async (t) => {
  const named = new Set(guides().match(/\w+/g))
  t.ok(named.has('mirrorDown'))
  const unnamed = indexes.flatMap((index) =>
    publicNamesOf(index, '.')
      .filter((one) => isCallable(one) && !named.has(one.name))
      .map(({ name }) => `${index}: ${name}`),
  )
  t.same(unnamed, [], 'write a sentence about it, or do not export it')
})

void t.test('a name means one thing in all entry points', async (t) => {
  const meanings = new Map<string, Set<ts.Symbol>>()
  for (const symbol of indexes.flatMap(exportsOf))
    meanings.set(symbol.name, (meanings.get(symbol.name) ?? new Set()).add(symbol))
  const shared = [...meanings].flatMap(([name, symbols]) => (symbols.size > 1 ? [name] : []))
  t.same(shared, [])
})

const guide = 'docs/coming-from-go.md'
const known = new Map(indexes.flatMap(exportsOf).map((symbol) => [symbol.name, symbol]))

/**
 * Whether a name of the tables is exported, or is a member of an exported name: `Syncer.syncUp`,
 * `plugin.init`.
 */
function isPublic(path: string): boolean {
  const [name = '', member] = path.split('.')
  const symbol = known.get(name)
  if (!symbol || member === undefined) return symbol !== undefined
  const isValue = (symbol.flags & ts.SymbolFlags.Variable) !== 0
  const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol)
  return type.getProperty(member) !== undefined
}

void t.test(`every target name in ${guide} is exported`, async (t) => {
  const rows = readFileSync(guide, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  t.ok(rows.length > 90, `${rows.length} rows`)
  for (const row of rows) {
    const [, go, ours = ''] = row.split('|')
    const names = [...ours.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
    t.ok(names.length > 0 || ours.trim() === '—', `${go} has a target or says that it has none`)
    for (const name of names) t.ok(isPublic(name), `${go}: ${name}`)
  }
})
