import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { Key } from '../../sdk/engine/kube/key.js'

/** A kind whose objects vcluster syncs only if a Pod uses them. */
export type UsedKind = 'ConfigMap' | 'Secret'

/** The ConfigMaps or Secrets that a Pod uses. */
export function objectsUsedByPod({ metadata, spec }: Pod, kind: UsedKind): Key[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]
  const names = [
    ...(spec?.volumes ?? []).flatMap((volume) => namesInVolume(volume, kind)),
    ...containers.flatMap((container) => namesInContainer(container, kind)),
    ...(kind === 'Secret' ? (spec?.imagePullSecrets ?? []).map(({ name }) => name) : []),
  ]
  const namespace = metadata.namespace ?? ''
  return [...new Set(names)].flatMap((name) => (name ? [{ namespace, name }] : []))
}

type PodSpec = NonNullable<Pod['spec']>
type Container = PodSpec['containers'][number]
type Volume = NonNullable<PodSpec['volumes']>[number]

function namesInVolume({ secret, configMap, projected }: Volume, kind: UsedKind) {
  const sources = projected?.sources ?? []
  return kind === 'Secret'
    ? [secret?.secretName, ...sources.map((source) => source.secret?.name)]
    : [configMap?.name, ...sources.map((source) => source.configMap?.name)]
}

function namesInContainer({ env = [], envFrom = [] }: Container, kind: UsedKind) {
  return kind === 'Secret'
    ? [
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
        ...envFrom.map(({ secretRef }) => secretRef?.name),
      ]
    : [
        ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
        ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ]
}
