import type { CustomResourceDefinition } from '../../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'

/** An object whose spec is the values of a chart. */
export type BenchRelease = KubeObject & {
  readonly spec?: object
  readonly status?: { readonly deployedRelease?: { readonly revision: number } }
}

const group = 'bench.my.domain'
const [kind, plural] = ['BenchRelease', 'benchreleases']

export const benchReleases: Resource<BenchRelease> = { group, version: 'v1', kind, plural, namespaced: true }

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const

/** The definition of {@link benchReleases}. */
export const benchDefinition: CustomResourceDefinition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: `${plural}.${group}` },
  spec: {
    ...{ group, scope: 'Namespaced', names: { kind, plural } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      },
    ],
  },
}
