import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import { cloneJson, parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import { applyPatch } from '../../sdk/engine/kube/json-patch/apply-patch.js'
import type { PatchOperation } from '../../sdk/engine/kube/json-patch/operation.js'

/** The annotation in which the operator keeps the spec of a Pod after `EVALUATE`. */
export const specAnnotation = 'cnpg.io/podSpec'

/** Encodes an object as the JSON that a plugin receives. */
export const bytes = (object: unknown) => Buffer.from(stringifyJson(object))

/** Applies the JSON patch of a plugin to an object; an empty patch changes nothing. */
export function applyJsonPatch<T>(object: T, jsonPatch: Buffer): T {
  if (jsonPatch.length === 0) return object
  return applyPatch(object, parseJson(jsonPatch) as PatchOperation[]) as T
}

/** A Cluster with the fields that an API server sets. */
export function withServerFields(cluster: CnpgCluster): CnpgCluster {
  const metadata = { namespace: 'default', uid: 'test', ...cluster.metadata }
  return { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', ...cloneJson(cluster), metadata }
}

/** The spec of a Pod after `EVALUATE`, from the annotation in which the operator keeps it. */
export function evaluatedSpec(pod: Pod): Pod['spec'] {
  return parseJson(pod.metadata.annotations?.[specAnnotation] ?? '{}') as Pod['spec']
}
