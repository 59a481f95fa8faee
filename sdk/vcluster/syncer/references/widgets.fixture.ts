import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'

/** A custom object that may say anything in its spec and its status. */
export interface Widget extends KubeObject {
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
}

/** example.com/v1 Widget. */
export const widgets: Resource<Widget> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
}
/** apiextensions.k8s.io/v1 CustomResourceDefinition. */
export const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
}
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
/** The definition that makes an API server serve Widgets. */
export const widgetDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        subresources: { status: {} },
      },
    ],
  },
}
