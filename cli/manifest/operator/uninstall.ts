import { parseApiVersion } from '../../../sdk/engine/kube/api-version.js'
import { formatResource } from '../../../sdk/engine/kube/resource.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import type { OperatorObjects } from './operator-objects.js'

/**
 * The commands that remove an operator from one of its clusters, by default the first, in the order that leaves nothing
 * terminating: its objects while it can still finalize them, then the webhooks and the operator, then what it made for
 * itself, then its definitions.
 */
export function uninstallCommands(
  description: OperatorDescription,
  { crd, rbac, manager, webhook, metrics, 'network-policy': policies }: OperatorObjects,
  cluster = description.clusters[0],
): string[] {
  const { kinds, clusters, namespace } = description
  const scope = namespace === undefined ? ' --all-namespaces' : ` -n ${namespace}`
  const primaries = kinds
    .filter((kind) => kind.cluster === cluster)
    .map(
      ({ resource }) =>
        `kubectl delete ${formatResource(resource)} --all${resource.namespaced ? scope : ''} --ignore-not-found`,
    )
  return [
    ...primaries,
    ...[...webhook, ...manager, ...metrics, ...policies].map(deletionOf),
    ...(cluster === clusters[0] ? ownObjects(description) : []),
    ...[...[...rbac].reverse(), ...crd].map(deletionOf),
  ]
}

/** The objects that the operator made for itself: it has permissions for them by name. Its definitions are printed. */
function ownObjects({ ownRules }: OperatorDescription): string[] {
  return ownRules.flatMap(({ group, resource, names = [], namespace }) => {
    if (resource === 'customresourcedefinitions') return []
    const type = group === '' ? resource : `${resource}.${group}`
    const namespaceFlag = namespace === undefined ? '' : ` -n ${namespace}`
    return names.map((name) => `kubectl delete ${type} ${name}${namespaceFlag} --ignore-not-found`)
  })
}

function deletionOf({
  kind = '',
  apiVersion = '',
  metadata,
}: {
  kind?: string
  apiVersion?: string
  metadata: { name?: string; namespace?: string }
}): string {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' }
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${version}.${group}`
  const namespaceFlag = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`
  return `kubectl delete ${type} ${metadata.name}${namespaceFlag} --ignore-not-found`
}
