import { issueText } from '../../engine/kube/issue-text.js'

/** The mistakes that the schema of a program found in a configuration, as one text, with the paths that zod gives. */
export function configProblems(error: unknown): string {
  const { issues } = Object(error) as { issues?: unknown }
  if (Array.isArray(issues)) return issues.map(textOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function textOf(issue: unknown): string {
  const { path, message } = Object(issue) as { path?: unknown; message?: unknown }
  const names = Array.isArray(path) ? path.map(String) : []
  return `${['config', ...names].join('.')}: ${issueText({ message: String(message) })}`
}
