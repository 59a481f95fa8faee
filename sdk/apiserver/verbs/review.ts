import { parseObjectBody } from '../body.js'
import type { ResourceRequest } from '../context.js'
import { recordOf } from '../kinds/kind-rules.js'
import { withKind } from '../shape.js'

/** Kinds that are questions: they are answered and never kept. */
const REVIEWS: Readonly<Record<string, (request: ResourceRequest) => object>> = {
  SelfSubjectReview: ({ user }) => ({ userInfo: { username: user.name, groups: user.groups } }),
  TokenReview: () => ({ authenticated: false, error: 'this server answers for no tokens' }),
  SelfSubjectAccessReview: allowed,
  SubjectAccessReview: allowed,
  LocalSubjectAccessReview: allowed,
  SelfSubjectRulesReview: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
}

/** Every authenticated user may do everything. */
function allowed(): object {
  return { allowed: true }
}

/** Whether the resource is a question. */
export function isReview({ resource }: ResourceRequest): boolean {
  return Object.hasOwn(REVIEWS, resource.kind) && !resource.verbs.includes('list')
}

/** Answers the question in the body. */
export async function review(request: ResourceRequest): Promise<object> {
  const { resource } = request
  const body = await parseObjectBody(request, resource.kind)
  const status = REVIEWS[resource.kind]?.(request) ?? {}
  return { ...withKind({ metadata: {} }, resource), ...recordOf(body), status }
}
