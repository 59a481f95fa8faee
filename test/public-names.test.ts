import t from 'tap'
import ts from 'typescript'

const doors = ['sdk/index.ts', 'sdk/testing/index.ts']
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const program = ts.createProgram(doors, options)
const checker = program.getTypeChecker()

/** Every name a door exports, resolved to where it is declared. */
function exportsOf(door: string): ts.Symbol[] {
  const file = program.getSourceFile(door)
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

for (const door of doors) {
  void t.test(`every name that ${door} exports is documented`, async (t) => {
    const names = exportsOf(door)
    t.ok(names.length > 0)
    t.same(
      names.filter((name) => !isDocumented(name)).map(({ name }) => name),
      [],
    )
  })
}

void t.test('every method of what users subclass or call is documented', async (t) => {
  const classes = ['Syncer', 'NamespacedTranslator', 'Plugin', 'Client', 'Store', 'TestPlugin']
  const undocumented = doors
    .flatMap(exportsOf)
    .filter(({ name }) => classes.includes(name))
    .flatMap((symbol) =>
      membersOf(symbol)
        .filter((member) => !isDocumented(member))
        .map((member) => `${symbol.name}.${member.name}`),
    )
  t.same(undocumented, [])
})
