import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { functionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'

export type Greeting = KubeObject & {
  spec?: JsonObject
  status?: { deployedRelease?: JsonObject; revisionDigests?: unknown; conditions?: Condition[] }
}
export interface Condition {
  type: string
  status: string
  reason: string
  message: string
}
export const kind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  namespaced: true,
}
export const greetings: Resource<Greeting> = kind
const preserved = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
export const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'greetings.example.com' },
  spec: {
    group: kind.group,
    scope: 'Namespaced',
    names: { kind: kind.kind, plural: kind.plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: preserved, status: preserved } } },
      },
    ],
  },
}
export const key = { namespace: 'default', name: 'hello' }

export const configMap = (name: string, data: object, annotations = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data }) as KubeObject

/** A ConfigMap with a text, and one more for each name. */
export const chart = functionChart(
  { name: 'greeter', version: '1.0.0', appVersion: '2.0', values: { text: 'hi', more: [] } },
  ({ text, more, hook }, { name }) => [
    configMap(name, { text: String(text) }),
    ...(more as string[]).map((one) => configMap(`${name}-${one}`, {})),
    ...(hook ? [hookPod(name, String(hook))] : []),
  ],
)

function hookPod(name: string, events: string): KubeObject {
  const spec = { containers: [{ name: 'a', image: 'a' }] }
  const metadata = { name: `${name}-hook`, annotations: { 'helm.sh/hook': events } }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject
}
