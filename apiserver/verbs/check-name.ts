import type { ResourceRequest } from '../context.js'
import { badRequest } from '../status.js'

/** A name that could not stand in a path is nobody's; `pkg/api/validation/path` of k8s.io/apimachinery. Throws 400. */
export function checkName({ target: { name } }: ResourceRequest): void {
  const problems = [
    ...(name === '.' || name === '..' ? [`may not be '${name}'`] : []),
    ...(name.includes('%') ? [`may not contain '%'`] : []),
  ]
  if (problems.length > 0)
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`)
}
