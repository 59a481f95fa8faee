import type { Client } from '../../../engine/client/client.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'

const policyKind = (kind: string, plural: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
})
const policies = policyKind('MutatingAdmissionPolicy', 'mutatingadmissionpolicies')
const bindings = policyKind('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings')

/** Options of {@link mutates}. */
export interface MutatesOptions {
  /** The resource or subresource, for example `deployments/status`. */
  resource: string
  group?: string
  operations?: readonly string[]
  /** A CEL expression with the changed fields, for example `Object{data: {"a": "1"}}`. */
  expression: string
}

/** Makes the API server of a cluster change each object of a kind that somebody updates. */
export async function mutates(
  client: Client,
  { resource, group = '', operations = ['UPDATE'], expression }: MutatesOptions,
): Promise<void> {
  const metadata = { name: 'mutates' }
  const spec = {
    matchConstraints: {
      resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations, resources: [resource] }],
    },
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  }
  await client.create(policies, { metadata, spec } as KubeObject)
  await client.create(bindings, { metadata, spec: { policyName: metadata.name } } as KubeObject)
}
