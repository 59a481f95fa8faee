import { randomUUID } from 'node:crypto'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { apiVersionOf } from '../../../sdk/engine/kube/resource.js'
import type { OpenObject } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import { type ServedResource, servedForm, storedForm, withKind } from '../../resources/served-resource.js'
import { Entry } from '../../store/entry.js'
import type { AdmissionAttributes } from '../admission-attributes.js'

/** The `request` of an AdmissionReview, `admission.k8s.io/v1`. */
export interface AdmissionRequest {
  readonly uid: string
  readonly object: KubeObject | null
  readonly oldObject: KubeObject | null
  readonly [field: string]: unknown
}

/** The request for a webhook or policy that gets objects in the version of `matched`. */
export function admissionRequest(attributes: AdmissionAttributes, matched: ServedResource): AdmissionRequest {
  const { request, operation, name, dryRun } = attributes
  const { target, resource, user } = request
  const subresource = target.subresource === '' ? {} : { subResource: target.subresource }
  const requestSubresource = target.subresource === '' ? {} : { requestSubResource: target.subresource }
  const namespace = resource.storage === 'namespaces' ? name : target.namespace
  return {
    uid: randomUUID(),
    kind: kindOf(attributes.kind ?? matched),
    resource: resourceOf(matched),
    ...subresource,
    requestKind: kindOf(attributes.kind ?? resource),
    requestResource: resourceOf(resource),
    ...requestSubresource,
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    object: inVersion(attributes.object?.(), attributes, matched),
    oldObject: inVersion(attributes.oldObject?.(), attributes, matched),
    dryRun,
    options: optionsOf(attributes),
  }
}

const kindOf = ({ group, version, kind }: ServedResource) => ({ group, version, kind })
const resourceOf = ({ group, version, plural }: ServedResource) => ({ group, version, resource: plural })

function userInfo({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) }
}

/** An object of the request in the version of `matched`, which is the requested resource or another version of it. */
export function inVersion(
  object: KubeObject | undefined,
  { request: { resource }, kind }: AdmissionAttributes,
  matched: ServedResource,
): KubeObject | null {
  if (object === undefined) return null
  if (kind !== undefined || matched === resource) return object
  const { kind: _kind, apiVersion: _version, ...bare } = object
  const versions = { from: resource.version, to: matched.version }
  const converted = matched.custom?.converter?.formIn(bare as OpenObject, versions)
  if (converted !== undefined) return withKind(converted, matched)
  const stored = storedForm(bare as OpenObject, resource)
  const served = matched.custom?.toServedEntry(new Entry('', stored, 0)).object ?? servedForm(stored, matched)
  return withKind(served, matched)
}

const optionsKinds: Readonly<Record<string, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
}

/** The options of the request in the format of a review. A patch has the options of an update or of a create. */
function optionsOf({ operation, request: { query }, dryRun, options }: AdmissionAttributes): object | null {
  if (operation === 'CONNECT') return null
  const names = operation === 'DELETE' ? [] : ['fieldManager', 'fieldValidation']
  const queryOptions = Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )
  return {
    kind: optionsKinds[operation],
    apiVersion: apiVersionOf({ group: 'meta.k8s.io', version: 'v1' }),
    ...queryOptions,
    ...options,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  }
}
