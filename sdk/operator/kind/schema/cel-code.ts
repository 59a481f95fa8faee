/** Comments, quoted names, and texts, raw or with escapes: they contain no variables. */
const otherParts =
  /\/\/.*|`[^`]*`|\b(?:[bB]?[rR]|[rR][bB])(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'[^']*'|"[^"]*")|'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g

/** A CEL expression without its comments and texts, so that a variable can be found in it without a CEL library. */
export function celCode(expression: string): string {
  return expression.replace(otherParts, "''")
}
