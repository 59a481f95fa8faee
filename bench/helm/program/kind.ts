import type { CustomResourceDefinition } from '../../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'

/** An object whose spec is the values of a chart. */
export type BenchRelease = KubeObject & {
  readonly spec?: object
  readonly status?: { readonly deployedRelease?: { readonly revision: number } }
}

const group = 'bench.my.domain'
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const

/** A kind, and its definition. */
export interface BenchKind {
  readonly resource: Resource<BenchRelease>
  readonly definition: CustomResourceDefinition
}

function benchKind(kind: string): BenchKind {
  const plural = `${kind.toLowerCase()}s`
  return {
    resource: { group, version: 'v1', kind, plural, namespaced: true },
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } },
            },
          },
        ],
      },
    },
  }
}

/** The kind of a program with one entry. */
export const { resource: benchReleases, definition: benchDefinition } = benchKind('BenchRelease')

/** So many kinds. */
export const entryKinds = (count: number): readonly BenchKind[] =>
  Array.from({ length: count }, (_, index) => benchKind(`Entry${index}`))
