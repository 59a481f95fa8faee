import type { ObjectMeta } from '../../sdk/kube/object.js'
import { reviewAccess, reviewLocalAccess, reviewOwnAccess } from '../access/reviews/access-review.js'
import { reviewRules } from '../access/reviews/rules-review.js'
import { reviewToken, userInfo } from '../access/reviews/token-review.js'
import { parseObjectBody } from '../body.js'
import { formatTime } from '../clock.js'
import type { ResourceRequest } from '../context.js'
import { type OpenObject, recordOf } from '../kinds/kind-rules.js'
import { shapeObject, withKind } from '../shape.js'
import { checkNamespace } from './create.js'
import { trackCreate } from './managing.js'
import { reportOf } from './report.js'
import { writeOptions } from './write-options.js'

/** Kinds that are questions: they are answered and never kept. Each gives the status that answers. */
const REVIEWS: Readonly<Record<string, (request: ResourceRequest, body: Record<string, unknown>) => object>> =
  {
    SelfSubjectReview: ({ user }) => ({ userInfo: userInfo(user) }),
    TokenReview: reviewToken,
    SelfSubjectAccessReview: reviewOwnAccess,
    SubjectAccessReview: reviewAccess,
    LocalSubjectAccessReview: reviewLocalAccess,
    SelfSubjectRulesReview: reviewRules,
  }

/** Whether the resource is a question. */
export function isReview({ resource }: ResourceRequest): boolean {
  return Object.hasOwn(REVIEWS, resource.kind) && !resource.verbs.includes('list')
}

/** What a create takes off the metadata: `WipeObjectMetaSystemFields` of k8s.io/apiserver. */
const SYSTEM_FIELDS = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const

/** Answers the question in the body. */
export async function review(request: ResourceRequest): Promise<OpenObject> {
  const { resource, query } = request
  const { fieldValidation } = writeOptions(query, 'CreateOptions')
  const given = await parseObjectBody(request, resource.kind)
  const body = shapeObject(given, resource, reportOf(request, fieldValidation))
  checkNamespace(request, body)
  for (const field of SYSTEM_FIELDS) delete body.metadata[field]
  // Questions about access are read as objects that somebody makes, and are told so where they may not have metadata.
  trackCreate(request, body)
  const status = REVIEWS[resource.kind]?.(request, body) ?? {}
  return {
    ...withKind({ ...body, metadata: reviewMetadata(request, body) }, resource),
    ...shownSpec(body, resource.kind),
    status,
  }
}

function reviewMetadata({ resource, target, server }: ResourceRequest, { metadata }: OpenObject): ObjectMeta {
  if (resource.kind === 'TokenReview') return metadata
  if (resource.namespaced) return { namespace: target.namespace }
  return resource.kind === 'SelfSubjectReview' ? { creationTimestamp: formatTime(server.clock.date()) } : {}
}

/** The real server's answer to a SelfSubjectRulesReview repeats nothing of the question. */
function shownSpec(body: Record<string, unknown>, kind: string): object {
  if (kind === 'SelfSubjectRulesReview') return { spec: {} }
  return body.spec === undefined ? {} : { spec: recordOf(body.spec) }
}
