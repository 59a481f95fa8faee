/**
 * The target of a permission in the forms of RBAC and of reviews: a kind, or a non-resource URL such as `/metrics`. A
 * plural never begins with a slash, so a permission has such a URL in place of a plural.
 */

/** A permission without its place. */
interface Target {
  readonly group: string
  /** A plural, with a subresource behind a slash, or a URL: `pods/log`, `/metrics`. */
  readonly resource: string
}

/** Whether the target of a permission is a non-resource URL. */
export const isUrl = (resource: string): boolean => resource.startsWith('/')

/** All URLs, as a target. A rule has `*`, which as a plural would mean all resources. */
export const everyUrl = '/*'

/** The URL of a target as a rule of a ClusterRole has it. */
const urlInRule = (resource: string): string => (resource === everyUrl ? '*' : resource)

/** The target of a rule of a Role or ClusterRole. */
export function ruleTarget({ group, resource }: Target) {
  return isUrl(resource)
    ? { nonResourceURLs: [urlInRule(resource)] }
    : { apiGroups: [group], resources: [resource] }
}

/** A question of a review: whether a verb is allowed for a target. */
export interface AccessQuestion extends Target {
  readonly verb: string
  readonly namespace: string
  /** The name of the object; default all. */
  readonly name?: string | undefined
}

/** The attributes of a SubjectAccessReview or a SelfSubjectAccessReview. */
export function reviewAttributes({ group, resource: path, verb, namespace, name }: AccessQuestion) {
  if (isUrl(path)) return { nonResourceAttributes: { path, verb } }
  const [resource = '', subresource = ''] = path.split('/')
  return { resourceAttributes: { group, resource, subresource, verb, namespace, ...(name && { name }) } }
}
