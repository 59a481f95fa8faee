import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { issuer, type TokenContent } from '../access/tokens/service-account-tokens.js'
import { parseApiVersion } from '../base/api-version.js'
import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, conflict, invalid, notFound } from '../request/status.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'
import { invalidValue } from '../validation/field-error.js'
import { admitPart } from './admission-steps.js'
import { tokenRequests } from './part-kinds.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { trackCreate } from './track-managers.js'
import { findEntry } from './update.js'
import { writeOptions } from './write-options.js'

const tokenRequestKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' }
const minSeconds = 600
const maxSeconds = 2 ** 32

/**
 * Answers `serviceaccounts/NAME/token` with a token for the account, see
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
 */
export async function requestToken(request: ResourceRequest): Promise<object> {
  const { target, server } = request
  const { dryRun, fieldValidation } = writeOptions(request.query, 'CreateOptions')
  const parsed = await parseObjectBody(request, tokenRequestKind.kind)
  const requested = shapeObject(parsed, tokenRequests, reportOf(request, fieldValidation))
  const partRequest = { operation: 'CREATE', kind: tokenRequests, object: requested, dryRun } as const
  const body: OpenObject = await admitPart(request, partRequest)
  checkAddress(body, request)
  const entry = findEntry(request)
  if (entry === undefined) throw notFound(request.resource, target.name)
  const { namespace = '', name = '', uid = '' } = entry.object.metadata
  checkUid(textAt(body, 'metadata', 'uid'), uid, name)
  const spec = recordOf(body.spec)
  const expirationSeconds = readExpiration(spec)
  const audiences =
    Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences.map(String) : [issuer]
  const bound = boundObjects(request, spec.boundObjectRef)
  const now = server.clock.date()
  const account = { namespace, name, uid }
  const token = server.issuer.issue({ account, audiences, expirationSeconds, bound })
  const expiresAt = new Date(now.getTime() + expirationSeconds * 1000)
  const identity = { name: target.name, namespace, uid, creationTimestamp: formatTime(now) }
  return {
    kind: tokenRequestKind.kind,
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { ...body.metadata, ...identity, ...ownersOf(request, body, expirationSeconds) },
    spec: { audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: { token, expirationTimestamp: formatTime(expiresAt) },
  }
}

/** The managed fields of the answer, as after a create by the manager of the request. */
function ownersOf(
  request: ResourceRequest,
  body: OpenObject,
  expirationSeconds: number,
): Partial<ObjectMeta> {
  const object: OpenObject = {
    ...body,
    metadata: { ...body.metadata },
    spec: { ...recordOf(body.spec), expirationSeconds },
  }
  trackCreate({ ...request, resource: tokenRequests }, object)
  return { managedFields: object.metadata.managedFields ?? [] }
}

function checkAddress(body: Record<string, unknown>, { target }: ResourceRequest): void {
  const name = textAt(body, 'metadata', 'name')
  const namespace = textAt(body, 'metadata', 'namespace')
  if (namespace !== '' && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (name === '' || name === target.name) return
  const why = 'must match the service account name if specified'
  throw invalid(tokenRequestKind, target.name, [invalidValue('metadata.name', name, why)])
}

function checkUid(requested: string, uid: string, name: string): void {
  if (requested === '' || requested === uid) return
  const why = `the UID in the token request (${requested}) does not match the UID of the service account (${uid})`
  throw conflict({ group: tokenRequestKind.group, plural: tokenRequestKind.kind }, name, why)
}

function readExpiration(spec: Record<string, unknown>): number {
  const seconds = Number(spec.expirationSeconds ?? 3600)
  const field = 'spec.expirationSeconds'
  const refuse = (why: string) => invalid(tokenRequestKind, '', [invalidValue(field, seconds, why)])
  if (seconds < minSeconds) throw refuse('may not specify a duration less than 10 minutes')
  if (seconds > maxSeconds) throw refuse('may not specify a duration larger than 2^32 seconds')
  return seconds
}

function boundObjects(request: ResourceRequest, reference: unknown): TokenContent['bound'] {
  if (reference === undefined || reference === null) return {}
  const { group, version } = parseApiVersion(textAt(reference, 'apiVersion'))
  const kind = textAt(reference, 'kind')
  if (group !== '' || !['Pod', 'Secret', 'Node'].includes(kind)) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  }
  const { server, target } = request
  const name = textAt(reference, 'name')
  if (kind === 'Pod') return boundPod(request, reference)
  const problemOrigin =
    kind === 'Secret'
      ? { plural: 'secrets', key: `${target.namespace}/${name}` }
      : { plural: 'nodes', key: name }
  const metadata = metadataOf(server, { ...problemOrigin, name })
  checkReference(reference, metadata)
  return kind === 'Secret' ? { secret: metadata } : { node: metadata }
}

/** A pod's token contains its node as well. */
function boundPod({ server, target }: ResourceRequest, reference: unknown): TokenContent['bound'] {
  const name = textAt(reference, 'name')
  const key = `${target.namespace}/${name}`
  const pod = metadataOf(server, { plural: 'pods', key, name })
  const { object } = server.store.collection('pods').get(key) ?? {}
  if (textAt(object, 'spec', 'serviceAccountName') !== target.name) {
    const account = JSON.stringify(target.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    )
  }
  checkReference(reference, pod)
  const nodeName = textAt(object, 'spec', 'nodeName')
  if (nodeName === '') return { pod }
  const node = server.store.collection('nodes').get(nodeName)?.object.metadata ?? { name: nodeName }
  return { pod, node }
}

interface BoundObjectRef {
  readonly plural: string
  readonly key: string
  readonly name: string
}

function metadataOf({ store }: ServerParts, { plural, key, name }: BoundObjectRef): ObjectMeta {
  const entry = store.collection(plural).get(key)
  if (entry === undefined) throw notFound({ group: '', plural }, name)
  return entry.object.metadata
}

function checkReference(reference: unknown, { name = '', uid }: ObjectMeta): void {
  const requested = fieldAt(reference, 'uid')
  if (requested === undefined || requested === '' || requested === uid) return
  const why = `the UID in the bound object reference (${requested}) does not match the UID in record. The object might have been deleted and then recreated`
  throw conflict({ group: '', plural: textAt(reference, 'kind') }, name, why)
}
