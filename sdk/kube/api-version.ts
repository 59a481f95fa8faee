import { isDnsLabel } from './dns-label.js'
import { DNS_LABEL } from './label-syntax.js'

const longestGroup = 253
const group = new RegExp(`^${DNS_LABEL}(\\.${DNS_LABEL})*$`)

/** Whether a text is an apiVersion: a version, or a group and a version. Anything else would become another request path. */
export function isApiVersion(text: string): boolean {
  const [version = '', name, ...more] = text.split('/').reverse()
  if (more.length > 0 || !isDnsLabel(version)) return false
  return name === undefined || (name.length <= longestGroup && group.test(name))
}
