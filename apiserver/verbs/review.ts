import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { formatTime } from '../base/clock.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { parseObjectBody } from '../request/body.js'
import { withKind } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'
import { admitPart } from './admission-steps.js'
import { checkNamespace } from './create.js'
import { reportOf } from './report.js'
import { reviewAccess, reviewLocalAccess, reviewOwnAccess } from './reviews/access-review.js'
import { reviewRules } from './reviews/rules-review.js'
import { reviewToken, userInfo } from './reviews/token-review.js'
import { shapeObject } from './shape.js'
import { trackCreate } from './track-managers.js'
import { writeOptions } from './write-options.js'

/** Review kinds, which are answered and never stored, with the function that computes the status. */
const reviews: Readonly<Record<string, (request: ResourceRequest, body: Record<string, unknown>) => object>> =
  {
    SelfSubjectReview: ({ user }) => ({ userInfo: userInfo(user) }),
    TokenReview: reviewToken,
    SelfSubjectAccessReview: reviewOwnAccess,
    SubjectAccessReview: reviewAccess,
    LocalSubjectAccessReview: reviewLocalAccess,
    SelfSubjectRulesReview: reviewRules,
  }

/** Whether the resource is a review. */
export function isReview({ resource }: ResourceRequest): boolean {
  return Object.hasOwn(reviews, resource.kind) && !resource.verbs.includes('list')
}

/** Metadata that a create removes: `WipeObjectMetaSystemFields` of k8s.io/apiserver. */
const systemFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const

/** Answers a review. */
export async function review(request: ResourceRequest): Promise<OpenObject> {
  const { resource, query } = request
  const { fieldValidation, dryRun } = writeOptions(query, 'CreateOptions')
  const parsedBody = await parseObjectBody(request, resource.kind)
  const requested = shapeObject(parsedBody, resource, reportOf(request, fieldValidation))
  checkNamespace(request, requested)
  for (const field of systemFields) delete requested.metadata[field]
  const body = await admitPart(request, { operation: 'CREATE', kind: resource, object: requested, dryRun })
  // Access reviews are decoded like created objects, and rejected with the same errors for their metadata.
  trackCreate(request, body)
  const status = reviews[resource.kind]?.(request, body) ?? {}
  return {
    ...withKind({ ...body, metadata: reviewMetadata(request, body) }, resource),
    ...specInAnswer(body, resource.kind),
    status,
  }
}

function reviewMetadata({ resource, target, server }: ResourceRequest, { metadata }: OpenObject): ObjectMeta {
  if (resource.kind === 'TokenReview') return metadata
  if (resource.namespaced) return { namespace: target.namespace }
  return resource.kind === 'SelfSubjectReview' ? { creationTimestamp: formatTime(server.clock.date()) } : {}
}

/** The real server's response to a SelfSubjectRulesReview does not repeat the spec. */
function specInAnswer(body: Record<string, unknown>, kind: string): object {
  if (kind === 'SelfSubjectRulesReview') return { spec: {} }
  return body.spec === undefined ? {} : { spec: recordOf(body.spec) }
}
