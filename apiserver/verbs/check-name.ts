import { badRequest } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'

/** Throws 400 for a name that cannot be part of a path; `pkg/api/validation/path` of k8s.io/apimachinery. */
export function checkName({ target: { name } }: ResourceRequest): void {
  const problems = [
    ...(name === '.' || name === '..' ? [`may not be '${name}'`] : []),
    ...(name.includes('%') ? [`may not contain '%'`] : []),
  ]
  if (problems.length > 0)
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`)
}
