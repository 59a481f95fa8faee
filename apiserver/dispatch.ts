import type { ApiError } from '../sdk/kube/error.js'
import { requestToken } from './access/tokens/token-request.js'
import type { ResourceRequest } from './context.js'
import { negotiate } from './output/accept.js'
import { ResourceWriter, statusResponse } from './output/writer.js'
import type { ApiResponse } from './request.js'
import type { RequestInfo } from './request-info.js'
import { type ServedResource, servedEntry } from './served-resource.js'
import { badRequest, methodNotAllowed, noSuchResource, notFound } from './status.js'
import { bind } from './verbs/bind.js'
import { checkName } from './verbs/check-name.js'
import { componentStatus, componentStatuses } from './verbs/component-statuses.js'
import { connectPod, isConnection } from './verbs/connect-pod.js'
import { create } from './verbs/create.js'
import { remove, removeCollection } from './verbs/delete.js'
import { evict } from './verbs/evict.js'
import { get } from './verbs/get.js'
import { list } from './verbs/list.js'
import { isOn } from './verbs/list-options.js'
import { checkPatchType, patch } from './verbs/patch.js'
import { isReview, review } from './verbs/review.js'
import { SCALES, scaleOf, writeScale } from './verbs/scale.js'
import { update } from './verbs/update.js'
import { watch } from './verbs/watch.js'

/** What can be done with a resource, in the words of RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** What a request says of its verb beside its method. */
type Asked = Pick<RequestInfo, 'query' | 'isWatchPath'> &
  Required<Pick<RequestInfo, 'target'>> & { readonly resource?: ServedResource }

/** The verb of a request, as authorization and audit name it. Throws 405. */
export function verbOf(method: string, { target, query, isWatchPath, resource }: Asked): Verb {
  const isObject = target.name !== ''
  switch (method) {
    case 'GET':
      // Of one object only the deprecated paths below /watch/ are watches.
      if (isWatchPath === true) return 'watch'
      if (isObject) return 'get'
      return isOn(query.get('watch')) ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      if (isObject) return 'update'
      throw withoutName(resource)
    case 'PATCH':
      if (isObject) return 'patch'
      throw withoutName(resource)
    case 'DELETE':
      return isObject ? 'delete' : 'deletecollection'
    default:
      throw methodNotAllowed()
  }
}

/** Custom resources have a handler for every method, which then misses the name. */
function withoutName(resource: ServedResource | undefined): ApiError {
  return resource?.custom === undefined ? methodNotAllowed() : badRequest('name must be provided')
}

/** Whether a path names something of its resource, whatever the method is. */
export function isServedPath({ resource, target }: Pick<ResourceRequest, 'resource' | 'target'>): boolean {
  const { namespaced, verbs, custom, subresources } = resource
  const inNamespace = target.namespace !== ''
  if (target.name !== '' && inNamespace !== namespaced) return false
  const isObject = target.name !== '' && target.subresource === ''
  if (isObject && !verbs.some((verb) => OBJECT_VERBS.has(verb))) return false
  if (target.subresource === '' || custom !== undefined) return true
  return subresources.some(({ name }) => name === target.subresource)
}

const OBJECT_VERBS = new Set(['get', 'update', 'patch', 'delete'])

/** Serves one request for a resource. Throws an ApiError for every no. */
export function dispatch(request: ResourceRequest, verb: Verb): Promise<ApiResponse> | ApiResponse {
  const { resource, target } = request
  // The router of built-in resources knows paths and methods, and only then what is acceptable.
  if (resource.custom === undefined) checkRoute(request, verb)
  const writer = new ResourceWriter(
    request,
    negotiate(request.headers.accept, {
      streams: verb === 'list' || verb === 'watch',
      isCustom: request.resource.custom !== undefined,
      hasTables: !isReview(request) && !isTableless(request),
    }),
  )
  if (resource.custom !== undefined) checkRoute(request, verb)
  if (verb === 'get' || verb === 'delete') checkName(request)
  if (target.subresource !== '') return dispatchPart(request, verb, writer)
  if (resource.rules.deprecation !== undefined) request.warnings.push(resource.rules.deprecation)
  const unstored = UNSTORED[resource.storage]
  if (unstored !== undefined) return unstored(request, writer)
  switch (verb) {
    case 'get':
      return writer.entry(200, get(request))
    case 'list':
      return writer.page(list(request))
    case 'watch':
      return watchResponse(request, writer)
    case 'create':
      return createResponse(request, writer)
    case 'update':
      return updateResponse(request, writer)
    case 'patch':
      return patchResponse(request, writer)
    case 'delete':
      return deleteResponse(request, writer)
    case 'deletecollection':
      return deleteCollectionResponse(request, writer)
  }
}

/** Some statuses of a real server have no tables. */
function isTableless({ resource, target }: ResourceRequest): boolean {
  return target.subresource === 'status' && TABLELESS.has(resource.storage)
}

const TABLELESS = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'resourceclaims.resource.k8s.io',
])

/** Throws 404 or 405 where the path or the method is none of the resource's. */
function checkRoute(request: ResourceRequest, verb: Verb): void {
  checkScope(request, verb)
  const { resource, target } = request
  if (target.subresource === '') {
    if (!resource.verbs.includes(verb)) throw methodNotAllowed()
    if (verb === 'patch') checkPatchType(request)
    return
  }
  const part = partOf(request)
  if (part === undefined) {
    throw resource.custom === undefined ? noSuchResource() : notFound(resource, target.name)
  }
  if (!part.verbs.includes(verb)) throw methodNotAllowed()
  if (verb === 'patch' && !isConnection(part.name)) checkPatchType(request)
}

function partOf({ resource, target }: ResourceRequest) {
  return resource.subresources.find(({ name }) => name === target.subresource)
}

/** An object of a namespaced resource is only found inside its namespace, and nothing else is. */
function checkScope({ resource, target }: ResourceRequest, verb: Verb): void {
  const inNamespace = target.namespace !== ''
  if (!resource.namespaced) {
    if (inNamespace) throw noSuchResource()
    if (isCreateByName(verb, { resource, target })) throw methodNotAllowed()
    return
  }
  if (!inNamespace && target.name !== '') throw noSuchResource()
  if (!inNamespace && verb !== 'list' && verb !== 'watch') throw methodNotAllowed()
  if (isCreateByName(verb, { resource, target })) throw methodNotAllowed()
}

/** A POST to the path of an object; of custom resources it is one to the collection. */
function isCreateByName(
  verb: Verb,
  { resource, target }: Pick<ResourceRequest, 'resource' | 'target'>,
): boolean {
  return verb === 'create' && target.name !== '' && target.subresource === '' && resource.custom === undefined
}

function dispatchPart(
  request: ResourceRequest,
  verb: Verb,
  writer: ResourceWriter,
): Promise<ApiResponse> | ApiResponse {
  const { subresource } = request.target
  if (subresource === 'binding') return done(bind(request))
  if (subresource === 'eviction') return done(evict(request))
  if (subresource === 'token') return tokenResponse(request, writer)
  if (isConnection(subresource)) return connectPod(request, subresource)
  if (subresource === 'scale') return scaleResponse(request, verb, writer)
  if (verb === 'get') return writer.entry(200, get(request))
  return verb === 'patch' ? patchResponse(request, writer) : updateResponse(request, writer)
}

/** Resources whose objects are not in the store. */
const UNSTORED: Readonly<
  Record<string, (request: ResourceRequest, writer: ResourceWriter) => Promise<ApiResponse>>
> = {
  bindings: (request) => done(bind(request)),
  componentstatuses: (request, writer) =>
    request.target.name === ''
      ? writer.page({ entries: componentStatuses(), metadata: { resourceVersion: '' } })
      : writer.entry(200, componentStatus(request)),
}

/** The answer to what makes no object. */
async function done(action: Promise<void>): Promise<ApiResponse> {
  await action
  return statusResponse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}

async function tokenResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  return writer.value(201, await requestToken(request))
}

async function scaleResponse(
  request: ResourceRequest,
  verb: Verb,
  writer: ResourceWriter,
): Promise<ApiResponse> {
  const { resource } = request
  if (verb === 'get') return writer.made(200, scaleOf(servedEntry(get(request), resource), resource), SCALES)
  const written = await writeScale(request, verb === 'patch' ? 'patch' : 'update')
  return writer.made(200, scaleOf(written, resource), SCALES)
}

async function createResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  if (isReview(request)) return writer.made(201, await review(request), request.resource)
  return writer.entry(201, await create(request))
}

async function updateResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { entry, created } = await update(request)
  return writer.entry(created ? 201 : 200, entry)
}

async function patchResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { entry, created } = await patch(request)
  return writer.entry(created ? 201 : 200, entry)
}

/** A delete answers with the object where it is kept for now, and where its kind is known to. */
async function deleteResponse(request: ResourceRequest, writer: ResourceWriter): Promise<ApiResponse> {
  const { resource, target } = request
  const { entry, gone } = await remove(request)
  if (!gone || resource.rules.returnsDeleted === true) return writer.entry(200, entry)
  return writer.value(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: deletedDetails(resource, target.name, entry.object.metadata.uid),
  })
}

async function deleteCollectionResponse(
  request: ResourceRequest,
  writer: ResourceWriter,
): Promise<ApiResponse> {
  return writer.page(await removeCollection(request))
}

function deletedDetails({ group, plural }: ServedResource, name: string, uid = ''): object {
  return group === '' ? { name, kind: plural, uid } : { name, group, kind: plural, uid }
}

function watchResponse(request: ResourceRequest, writer: ResourceWriter): ApiResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }
  return { status: 200, headers, body: watch(request, writer) }
}
