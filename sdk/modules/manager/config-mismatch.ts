import { issueText } from '../../engine/kube/issue-text.js'
import { valueAt } from '../../engine/kube/json-object.js'

/** The message of a configuration that the schema of a program refuses, with every mistake. */
export function configMismatch(program: string, error: unknown, config: unknown): string {
  return `the configuration does not fit program ${program}: ${problemsOf(error, config)}; correct it in the Module`
}

/** The mistakes that the schema found, as one text, with the paths that zod gives. */
function problemsOf(error: unknown, config: unknown): string {
  const { issues } = Object(error) as { issues?: unknown }
  if (Array.isArray(issues)) return issues.map((issue) => textOf(issue, config)).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function textOf(issue: unknown, config: unknown): string {
  const { path, message, code } = Object(issue) as { path?: unknown; message?: unknown; code?: unknown }
  const names = Array.isArray(path)
    ? path.map((name) => (typeof name === 'number' ? name : String(name)))
    : []
  const text = issueText({ message: String(message), code })
  // A message about a type has the type that was given.
  const given = text.includes(', got ') ? '' : givenText(valueAt(config, names), String(code))
  return `${['spec.config', ...names].join('.')}: ${text}${given}`
}

/**
 * The value that does not fit, after a comma. A text may be a secret: it is quoted only where the schema lists the
 * allowed ones. Of a text or list beyond a limit, the length is given.
 */
function givenText(value: unknown, code: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `, got ${value}`
  if (typeof value === 'string' && code === 'invalid_value')
    return `, got ${JSON.stringify(value.slice(0, 100))}`
  const isCounted = code === 'too_big' || code === 'too_small'
  if (isCounted && (typeof value === 'string' || Array.isArray(value))) return `, but has ${value.length}`
  return ''
}
