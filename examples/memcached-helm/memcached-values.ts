import type { JsonObject } from 'vcluster-plugin-sdk/helm'

/** The values of the chart for the spec of a Memcached. More than one node get a disruption budget. */
export function memcachedValues({ size, memory }: JsonObject): JsonObject {
  return {
    replicas: size,
    ...(memory !== undefined && { memory }),
    disruptionBudget: Number(size) > 1,
  }
}
