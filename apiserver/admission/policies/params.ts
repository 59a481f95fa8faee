import { labelSelectorRequirements, matchesLabels } from '../../../sdk/engine/kube/label-selector.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { type ServedResource, servedEntry, withKind } from '../../resources/served-resource.js'
import { storageKey } from '../../server/context.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import type { ParamRef, PolicySpec } from './policy.js'

/** An error in the configuration of a policy. The failure policy decides whether the request is denied. */
export class PolicyProblem extends Error {
  override readonly name = 'PolicyProblem'
}

/**
 * The parameters with which a binding checks a request, one check for each; `[undefined]` for a policy without any.
 * Throws a {@link PolicyProblem}.
 */
export function paramsOf(
  { paramKind }: PolicySpec,
  paramRef: ParamRef | undefined,
  attributes: AdmissionAttributes,
): (KubeObject | undefined)[] {
  if (paramKind === undefined || paramRef === undefined) return [undefined]
  const resource = resourceOfKind(paramKind, attributes)
  const params = paramsFrom(resource, paramRef, attributes)
  if (params.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new PolicyProblem('no params found for policy binding with `Deny` parameterNotFoundAction')
  return params
}

function resourceOfKind(
  { apiVersion, kind }: NonNullable<PolicySpec['paramKind']>,
  { request: { server } }: AdmissionAttributes,
): ServedResource {
  const versions = server.registry.groupVersions.flatMap(({ resources }) => resources)
  const servedVersion = versions.find(
    ({ group, version, kind: other }) =>
      other === kind && (group === '' ? version : `${group}/${version}`) === apiVersion,
  )
  if (servedVersion === undefined)
    throw new PolicyProblem(`failed to find resource referenced by paramKind: '${gvkText(apiVersion, kind)}'`)
  return servedVersion
}

/** `GroupVersionKind.String` of apimachinery. */
const gvkText = (apiVersion: string, kind: string) =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`

function paramsFrom(resource: ServedResource, ref: ParamRef, { request }: AdmissionAttributes): KubeObject[] {
  const namespace = resource.namespaced ? ref.namespace || request.target.namespace : ''
  if (!resource.namespaced && ref.namespace)
    throw new PolicyProblem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  if (resource.namespaced && namespace === '')
    throw new PolicyProblem(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  const objects = request.server.store.collection(resource.storage)
  if (ref.name) {
    const entry = objects.get(storageKey(namespace, ref.name))
    return entry === undefined ? [] : [withKind(servedEntry(entry, resource).object, resource)]
  }
  const requirements = labelSelectorRequirements(ref.selector ?? {})
  const entries = [...objects.scan(namespace === '' ? '' : `${namespace}/`)]
  return entries
    .filter(({ object }) => matchesLabels(requirements, object.metadata.labels))
    .map((entry) => withKind(servedEntry(entry, resource).object, resource))
}
