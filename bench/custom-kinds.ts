import type { CustomResourceDefinition } from '../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'

/** Returns `count` custom kinds that differ only in their names. */
export function customKinds(count: number): Resource<KubeObject>[] {
  return Array.from({ length: count }, (_, at) => ({
    group: 'bench.example.com',
    version: 'v1',
    kind: `Thing${at}`,
    plural: `thing${at}s`,
    namespaced: true,
  }))
}

/** The CustomResourceDefinition of one of these kinds. */
export function definitionOf({ group, version, kind, plural }: Resource): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  }
}
