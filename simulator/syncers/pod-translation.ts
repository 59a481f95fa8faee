import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { LabelSelector } from '../../sdk/engine/kube/label-selector.js'
import type { ReferenceTranslator } from './kind-rules.js'
import { virtualNamespaceLabel } from './metadata-keys.js'

/** The volumes that name a Secret in a member `secretRef`. */
const volumesWithSecretRef = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos']

const containers = ['initContainers', 'containers', 'ephemeralContainers']

/**
 * The fields of a Pod's specification that name a Secret, a ConfigMap or a PersistentVolumeClaim; `*` is each
 * element of a list.
 */
const namePaths: readonly string[] = [
  'imagePullSecrets.*.name',
  'volumes.*.secret.secretName',
  'volumes.*.configMap.name',
  'volumes.*.persistentVolumeClaim.claimName',
  'volumes.*.projected.sources.*.secret.name',
  'volumes.*.projected.sources.*.configMap.name',
  'volumes.*.azureFile.secretName',
  'volumes.*.csi.nodePublishSecretRef.name',
  ...volumesWithSecretRef.map((volume) => `volumes.*.${volume}.secretRef.name`),
  ...containers.flatMap((list) => [
    `${list}.*.env.*.valueFrom.secretKeyRef.name`,
    `${list}.*.env.*.valueFrom.configMapKeyRef.name`,
    `${list}.*.envFrom.*.secretRef.name`,
    `${list}.*.envFrom.*.configMapRef.name`,
  ]),
]

/** The fields that select other Pods. */
const affinityTermPaths: readonly string[] = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
  `affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution.*`,
  `affinity.${kind}.preferredDuringSchedulingIgnoredDuringExecution.*.podAffinityTerm`,
])

/**
 * Returns a Pod whose references name the copies. The admission of the host namespace decides what a Pod may
 * use of its node.
 *
 * See pkg/controllers/resources/pods/translate/translator.go @ v0.36.1 of vcluster.
 */
export function withHostReferences(pod: Pod, translator: ReferenceTranslator): Pod {
  const { metadata, spec } = pod
  const { namespace = '' } = metadata
  const hostName = (name: unknown) =>
    typeof name === 'string' ? translator.hostName({ namespace, name }) : name
  const withNames = changeAt(spec, namePaths, hostName)
  const withSpread = changeAt(withNames, ['topologySpreadConstraints.*'], (constraint) =>
    withHostSelector(constraint as SelectingTerm, namespace, translator),
  )
  const withAffinity = changeAt(withSpread, affinityTermPaths, (term) =>
    withHostSelector(term as SelectingTerm, namespace, translator),
  )
  return { ...pod, ...(spec && { spec: withAffinity as typeof spec }) }
}

/** A term that selects Pods of its own namespace, or of the namespaces in the term. */
interface SelectingTerm {
  labelSelector?: LabelSelector
  namespaces?: string[]
}

/** All copies are in one namespace, so the label with the virtual namespace selects them. */
function withHostSelector(
  { namespaces = [], ...term }: SelectingTerm,
  namespace: string,
  { labels }: ReferenceTranslator,
): SelectingTerm {
  if (!term.labelSelector) return term
  const { [virtualNamespaceLabel]: ownNamespaceLabel = '', ...marker } = labels.markersOf(namespace)
  const { matchLabels, matchExpressions = [] } = labels.selector(term.labelSelector)
  const isOwn = namespaces.length === 0
  const namespaceExpression = { key: virtualNamespaceLabel, operator: 'In' as const, values: namespaces }
  const expressions = isOwn ? matchExpressions : [...matchExpressions, namespaceExpression]
  return {
    ...term,
    labelSelector: {
      matchLabels: {
        ...matchLabels,
        ...marker,
        ...(isOwn && { [virtualNamespaceLabel]: ownNamespaceLabel }),
      },
      ...(expressions.length > 0 && { matchExpressions: expressions }),
    },
  }
}

type Change = (value: unknown) => unknown

/** Changes the values at all paths; `*` in a path means each element of a list. */
function changeAt(value: unknown, paths: readonly string[], change: Change): unknown {
  return paths.reduce((changed, path) => changeAlong(changed, path.split('.'), change), value)
}

function changeAlong(value: unknown, [step, ...stepsBelow]: readonly string[], change: Change): unknown {
  if (value === undefined || value === null) return value
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return step === '*' ? value.map((item) => changeAlong(item, stepsBelow, change)) : value
  if (!Object.hasOwn(Object(value), step)) return value
  const members = value as Record<string, unknown>
  return { ...members, [step]: changeAlong(members[step], stepsBelow, change) }
}
