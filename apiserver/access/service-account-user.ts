import { checkLabelName, checkSubdomainName } from '../validation/names.js'

const prefix = 'system:serviceaccount:'

/** The user name of a service account. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`
}

/** The groups of every service account of a namespace, in addition to `system:authenticated`. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The service account with this user name; undefined if the user is not a service account. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined
  const [namespace = '', name = '', ...excess] = user.slice(prefix.length).split(':')
  const problem = checkLabelName(namespace) ?? checkSubdomainName(name)
  return excess.length === 0 && problem === undefined ? { namespace, name } : undefined
}
