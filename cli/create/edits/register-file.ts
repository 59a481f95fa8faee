/**
 * Edits of a project's `src/register.ts` and `src/main.ts`. Lines are added, and nothing that the user wrote is
 * removed. The edits return undefined for a text that was changed beyond recognition.
 */

/**
 * Matches the function `register` of an operator: the text before its parameters, the parameters, the type, the body.
 */
const registerFunction =
  /^(export )(async )?(function register\()([^)]*)(\))(: [\w<>]+)? \{\n([\s\S]*?)^\}$/gm
/** The last line of each import statement. */
const importEnd = /^(?:import .*|\}) from (['"]).*\1(;?)$/gm

/** A registration to add. */
export interface Registration {
  /** Import statements, without semicolons. */
  readonly imports: readonly string[]
  /** Makes the lines of the body, for the name of the operator. */
  readonly lines: (operator: string) => readonly string[]
  /** Whether the lines await something, and need the parameter `options` for the renderer of tests; default false. */
  readonly needsOptions?: boolean
}

/** `src/register.ts` with one more registration; undefined if it has no function `register(operator: Operator)`. */
export function withRegistration(text: string, registration: Registration): string | undefined {
  const [match, ...otherMatches] = [...text.matchAll(registerFunction)]
  const [, parameters = ''] = /^\s*(\w+: Operator\b[\s\S]*?),?\s*$/.exec(match?.[4] ?? '') ?? []
  const [operator] = parameters.split(':')
  const isOnlyParameter = !parameters.includes(',')
  if (!match || otherMatches.length > 0 || !operator || (registration.needsOptions && !isOnlyParameter))
    return undefined
  const [
    matchedText,
    start = '',
    isAsync = '',
    name = '',
    oldParameters = '',
    end = '',
    type = '',
    body = '',
  ] = match
  const head = registration.needsOptions
    ? `${start}async ${name}\n  ${parameters},\n  ${rendererOption},\n${end}: Promise<void>`
    : `${start}${isAsync}${name}${oldParameters}${end}${type}`
  const semicolon = /;$/m.test(body) ? ';' : ''
  const lines = registration.lines(operator).map((line) => `  ${line}${endOf(line, semicolon)}\n`)
  const edited = text.replace(matchedText, () => `${head} {\n${body}${lines.join('')}}`)
  return withImports(edited, registration.imports)
}

/** The parameter by which tests pass a renderer of charts. */
const rendererOption = "options: Pick<HelmControllerOptions, 'renderer'> = {}"

/** The end of a line: a semicolon, except after the head of a loop. */
const endOf = (line: string, semicolon: string) => (line.startsWith('for ') ? '' : semicolon)

/** Adds the import statements that a text lacks, after its last one. */
function withImports(text: string, imports: readonly string[]): string {
  const lastImport = [...text.matchAll(importEnd)].at(-1)
  const semicolon = lastImport?.[2] ?? ''
  const added = imports.filter((line) => !text.includes(line)).map((line) => `${line}${semicolon}\n`)
  const insertAt = lastImport ? lastImport.index + lastImport[0].length + 1 : 0
  return `${text.slice(0, insertAt)}${added.join('')}${text.slice(insertAt)}`
}

/** `src/main.ts`, which awaits `register`; undefined if it does not call it. */
export function withAwait(text: string): string | undefined {
  if (/\bawait register\(/.test(text)) return text
  const edited = text.replace(/^register\(/m, 'await register(')
  return edited === text ? undefined : edited
}
