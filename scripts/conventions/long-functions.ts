import ts from 'typescript'
import { isProductCode, type SourceFile } from './source-files.js'

const maxLines = 30
/** A component consists mostly of elements, which take a line each. */
const maxLinesOfComponent = 40

/**
 * The functions of the product with too many lines. The lines of a text, such as the template of a file of a created
 * project, do not count, because a reader does not follow them.
 */
export function longFunctions(files: readonly SourceFile[]): string[] {
  return files.filter(isProductCode).flatMap(longFunctionsIn)
}

function longFunctionsIn({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return functionsIn(source).flatMap((node) => {
    const lines = linesOf(node, source)
    const most = isComponent(node, path) ? maxLinesOfComponent : maxLines
    if (lines <= most) return []
    const place = `${path}:${lineAt(node.getStart(), source) + 1}`
    return [`${place}: ${nameOf(node)} has ${lines} lines, at most ${most}; split it by its ideas`]
  })
}

function functionsIn(node: ts.Node): ts.FunctionLikeDeclaration[] {
  const below: ts.FunctionLikeDeclaration[] = []
  ts.forEachChild(node, (child) => void below.push(...functionsIn(child)))
  return isFunction(node) ? [node, ...below] : below
}

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** The lines of a function, each of its texts as one. */
function linesOf(node: ts.Node, source: ts.SourceFile): number {
  const texts = textsIn(node).reduce((sum, text) => sum + breaksIn(text, source), 0)
  return breaksIn(node, source) + 1 - texts
}

function textsIn(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node]
  const below: ts.Node[] = []
  ts.forEachChild(node, (child) => void below.push(...textsIn(child)))
  return below
}

const breaksIn = (node: ts.Node, source: ts.SourceFile): number =>
  lineAt(node.end, source) - lineAt(node.getStart(), source)

const lineAt = (position: number, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(position).line

/** Whether a function returns elements: it has a capital, and its file has JSX. */
const isComponent = (node: ts.FunctionLikeDeclaration, path: string): boolean =>
  path.endsWith('.tsx') && /^[A-Z]/.test(nameOf(node))

/** The name of a function, or of the variable or member that it is assigned to. */
function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (node.name !== undefined) return node.name.getText()
  const { name } = node.parent as Partial<Pick<ts.NamedDeclaration, 'name'>>
  if (ts.isConstructorDeclaration(node)) return `the constructor of ${name?.getText() ?? 'a class'}`
  return name?.getText() ?? 'a function'
}
