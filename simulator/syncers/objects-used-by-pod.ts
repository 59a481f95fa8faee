import type { Pod } from '../../sdk/kube/builtin.js'
import type { Key } from '../../sdk/kube/key.js'

/** The ConfigMaps or Secrets that a Pod refers to. */
export function objectsUsedByPod(pod: Pod, kind: 'ConfigMap' | 'Secret'): Key[] {
  const { metadata, spec } = pod
  const [volume, name] =
    kind === 'Secret' ? (['secret', 'secretName'] as const) : (['configMap', 'name'] as const)
  const names = [
    ...(kind === 'Secret' ? (spec?.imagePullSecrets ?? []).map((pull) => pull.name) : []),
    ...(spec?.volumes ?? []).flatMap((one) => [
      memberOf(one[volume], name),
      ...(one.projected?.sources ?? []).map((source) => source[volume]?.name),
    ]),
    ...[...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].flatMap((container) =>
      containerNeeds(container, kind),
    ),
  ]
  const namespace = metadata.namespace ?? ''
  return [...new Set(names)].flatMap((needed) => (needed ? [{ namespace, name: needed }] : []))
}

type Container = NonNullable<Pod['spec']>['containers'][number]

function containerNeeds({ env = [], envFrom = [] }: Container, kind: 'ConfigMap' | 'Secret') {
  const isSecret = kind === 'Secret'
  return [
    ...env.map(({ valueFrom }) => (isSecret ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef)?.name),
    ...envFrom.map((source) => (isSecret ? source.secretRef : source.configMapRef)?.name),
  ]
}

const memberOf = (source: object | undefined, name: string): string | undefined =>
  (source as Record<string, string | undefined> | undefined)?.[name]
