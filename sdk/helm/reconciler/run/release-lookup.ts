import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import { clusterLookup } from '../../lookup/cluster-lookup.js'
import { allowsLookup, type ReleasePolicy } from '../../policy/release-policy.js'
import type { Lookup, LookupQuery } from '../../render/renderer.js'
import { namesThisRelease } from '../objects/release-object.js'
import type { SecretTexts } from './secret-texts.js'

/** Options of {@link releaseLookup}. */
export interface ReleaseLookupOptions {
  readonly cluster: Pick<Cluster, 'client' | 'served'>
  readonly release: { readonly namespace: string; readonly name: string }
  /** The permitted objects; by default those in the namespace of the release. */
  readonly policy: ReleasePolicy | undefined
  /** Called with a sentence about each query that is refused. */
  readonly onRefused: (reason: string) => void
  /** Called for each query that is not refused; default nothing. */
  readonly onAllowed?: (query: LookupQuery, resource: Resource) => void
}

/**
 * Answers `lookup` of the templates of a release with what its policy allows. Templates also render text of users, who
 * may not be allowed to read Secrets: without `Secret` among the kinds of the policy, only the Secrets of the release
 * itself exist.
 */
export function releaseLookup(options: ReleaseLookupOptions): Lookup {
  const { cluster, release, policy, onRefused, onAllowed } = options
  const lookup = clusterLookup({
    cluster,
    allow: (query, resource) => {
      const isAllowed = allowsLookup(policy, { query, resource, releaseNamespace: release.namespace })
      if (isAllowed) onAllowed?.(query, resource)
      return isAllowed
    },
    onRefused: (query, resource) => onRefused(refusalSentence(query, resource)),
  })
  return async (query, signal) => {
    const answer = await lookup(query, signal)
    const hidesSecrets = query.kind === 'Secret' && policy?.kinds?.includes('Secret') !== true
    return hidesSecrets && answer ? keepOwnSecrets(answer, release) : answer
  }
}

/** Notes the values of Secrets that templates see. */
export const notedLookup =
  (lookup: Lookup, texts: SecretTexts): Lookup =>
  async (query, signal) => {
    const answer = await lookup(query, signal)
    texts.note([answer])
    return answer
  }

function refusalSentence({ namespace, name }: LookupQuery, resource: Resource): string {
  const namespaceText = namespace === '' ? ' in all namespaces' : ` in namespace ${namespace}`
  const namespacePart = resource.namespaced ? namespaceText : ''
  const queryText = `${formatResource(resource)}${name && ` "${name}"`}${namespacePart}`
  return `lookup of ${queryText} finds nothing: the option allow does not permit it`
}

/** A Secret, or the Secrets of a list, if their annotations name the release. */
function keepOwnSecrets(answer: object, release: ReleaseLookupOptions['release']): object | undefined {
  const { items } = answer as { items?: readonly KubeObject[] }
  if (items) return { ...answer, items: items.filter((item) => namesThisRelease(item, release)) }
  return namesThisRelease(answer as KubeObject, release) ? answer : undefined
}
