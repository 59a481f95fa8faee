// The public names of the package and the `@example` blocks in their doc comments.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { CodeBlock } from './doc-code.js'

/** A name that an index exports, with the statements that declare it. */
export interface PublicName {
  name: string
  /** Path of the file that declares it, from the root. */
  file: string
  /** Several for an overloaded function. */
  statements: readonly ts.Statement[]
}

/** The names that an index exports, found where they are declared. */
export function publicNamesOf(index: string, root: string): PublicName[] {
  const reexports = parse(index, root).statements.filter(ts.isExportDeclaration)
  return reexports.flatMap(({ exportClause, moduleSpecifier }) => {
    if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return []
    if (!ts.isStringLiteral(moduleSpecifier)) return []
    const file = join(dirname(index), moduleSpecifier.text.replace(/\.js$/, '.ts'))
    const source = parse(file, root)
    return exportClause.elements.map(({ name, propertyName }) =>
      declared((propertyName ?? name).text, file, source),
    )
  })
}

function declared(name: string, file: string, source: ts.SourceFile): PublicName {
  const statements = source.statements.filter((statement) => declaredNames(statement).includes(name))
  if (statements.length === 0)
    throw new Error(`${file} does not declare ${name}; export it from its own file`)
  return { name, file, statements }
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  return ts.isDeclarationStatement(statement) && statement.name ? [statement.name.getText()] : []
}

/** Whether users call it: a function or a class. */
export function isCallable({ name, statements }: PublicName): boolean {
  return statements.some(
    (statement) =>
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      (ts.isVariableStatement(statement) && isArrowFunction(statement, name)),
  )
}

function isArrowFunction({ declarationList }: ts.VariableStatement, name: string): boolean {
  return declarationList.declarations.some(
    (one) => one.name.getText() === name && one.initializer && ts.isArrowFunction(one.initializer),
  )
}

/** The names that an example may use without declaring them. */
const given: Readonly<Record<string, string>> = {
  ctx: 'declare const ctx: RegisterContext',
}

/** The names that an example of an operator may use; a line may use names of later lines. */
const givenOfOperators: typeof given = {
  ctx: 'declare const ctx: ControllerContext<ObjectOf<typeof backups>>',
  backup: 'declare const backup: ObjectOf<typeof backups>',
  deploymentFor: 'declare function deploymentFor(backup: object): Deployment',
  live: 'declare const live: unknown',
  backups: "import { backups } from '../memcached/backup.js'",
  backupController: "import { backupController } from '../memcached/backup-controller.js'",
  z: "import * as z from 'zod'",
}

/** The names that an example of a plugin for CloudNativePG may use. */
const givenOfCnpg: typeof given = { z: "import * as z from 'zod'" }

/** The names that an example about Helm charts may use. */
const givenOfHelm: typeof given = {
  ...given,
  renderer: 'declare const renderer: ChartRenderer',
  request: 'declare const request: RenderRequest',
  signal: 'declare const signal: AbortSignal',
}

/** Whether an example is about an operator. */
function isOfOperator(code: string, file: string): boolean {
  return /^(sdk|testing)\/operator\//.test(file) || /\boperatorScenario\(/.test(code)
}

function givenIn(code: string, file: string): typeof given {
  if (/^(sdk|testing)\/cnpg\//.test(file)) return givenOfCnpg
  if (file.startsWith('sdk/helm/')) return givenOfHelm
  return isOfOperator(code, file) ? givenOfOperators : given
}

/** The code before an example: what it uses of {@link given}, and what that uses. */
function codeBefore(code: string, file: string): string {
  const names = givenIn(code, file)
  const lines: string[] = []
  for (const [name, line] of Object.entries(names)) {
    const isUsed = new RegExp(`\\b${name}\\b`).test(
      [code, ...lines.filter((one) => !one.startsWith('import'))].join('\n'),
    )
    if (isUsed && !new RegExp(`\\b(const|import \\{) ${name}\\b`).test(code)) lines.push(line)
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** The `@example` blocks of the doc comments of a name and of its members. */
export function examplesOf({ file, statements }: PublicName): CodeBlock[] {
  return statements.flatMap((statement) => {
    const start = statement.getFullStart()
    const firstLine = ts.getLineAndCharacterOfPosition(statement.getSourceFile(), start).line + 1
    return [...statement.getFullText().matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) =>
      examplesIn(comment[0]).map(({ line, code }) => {
        const before = statement.getFullText().slice(0, comment.index).split('\n').length - 1
        return { document: file, line: firstLine + before + line, code, within: codeBefore(code, file) }
      }),
    )
  })
}

/** The fenced blocks of a comment that follow `@example`, with their line in the comment from 0. */
function examplesIn(comment: string): Pick<CodeBlock, 'line' | 'code'>[] {
  const text = comment.replace(/^[ \t]*\* ?/gm, '')
  return [...text.matchAll(/@example[^\n]*\n+```ts\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, code = ''] = match
    const before = text.slice(0, match.index + whole.length - code.length - '```'.length)
    return { line: before.split('\n').length - 1, code }
  })
}

function parse(file: string, root: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2023, true)
}
