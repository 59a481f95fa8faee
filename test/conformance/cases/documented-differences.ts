// Behaviour of a kube-apiserver that the embedded server lacks: a case for each line of the list "What differs" in
// docs/embedded-apiserver.md. All of them are in known-differences.ts, because they fail on the embedded server.
import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { definitionOf } from '../custom-resource.js'

const core = '/api/v1/namespaces'

/** Whether an object can still be created after a policy that forbids all objects of its resource. */
async function isForbiddenLater(client: CaseClient, resource: string): Promise<boolean> {
  const { make, post, namespace } = client
  const metadata = { name: `${namespace}-${resource}` }
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }]
  const validations = [{ expression: 'false' }]
  const policy = { matchConstraints: { resourceRules: rules }, validations }
  await make('validatingadmissionpolicies', { metadata, spec: policy })
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } }
  const binding = { policyName: metadata.name, validationActions: ['Deny'] }
  await make('validatingadmissionpolicybindings', {
    metadata,
    spec: { ...binding, matchResources: { namespaceSelector } },
  })
  return (await post(resource, { metadata: { name: 'late' } })).status === 201
}

/** A webhook that fails for each service account in the namespaces with a label. */
const failingWebhook = (label: string) => ({
  metadata: { name: label },
  webhooks: [
    {
      name: 'unreachable.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['serviceaccounts'] },
      ],
      namespaceSelector: { matchLabels: { label } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
})

export const documentedDifferences: CaseGroup = {
  name: 'documented-differences',
  cases: [
    {
      name: 'requests are proxied to pods',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/rest/subresources.go @ v1.36.3',
      async run({ get, expect }) {
        expect.same((await get('pods/none/proxy')).body.message, 'pods "none" not found')
      },
    },
    {
      name: 'a policy is in force a moment after it was written',
      source: 'k8s.io/apiserver pkg/admission/plugin/policy/generic/policy_source.go @ v0.36.3',
      async run(client) {
        // Its policies are read once a second, which may be just now.
        for (const resource of ['configmaps', 'secrets', 'serviceaccounts', 'endpoints', 'resourcequotas'])
          if (await isForbiddenLater(client, resource)) return
        throw new Error('each policy is in force at once')
      },
    },
    {
      name: 'the expressions of device selectors are compiled',
      source: 'k8s.io/kubernetes pkg/apis/resource/validation/validation.go @ v1.36.3',
      async run({ post, expect, namespace }) {
        const spec = { selectors: [{ cel: { expression: '1 +' } }] }
        const object = {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'DeviceClass',
          metadata: { name: namespace },
        }
        expect.answer(await post('/apis/resource.k8s.io/v1/deviceclasses', { ...object, spec }), 422)
      },
    },
    {
      name: 'a rule that may cost too much is refused',
      source: 'https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints',
      async run(client) {
        const texts = { type: 'array', items: { type: 'string' } }
        const rule = 'self.all(a, self.all(b, self.all(c, a + b == c)))'
        const list = { ...texts, 'x-kubernetes-validations': [{ rule }] }
        const definition = definitionOf(client, { properties: { list } })
        client.expect.answer(await client.post('customresourcedefinitions', definition), 422)
      },
    },
    {
      name: 'controllers pass webhooks',
      source: 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/',
      needs: 'controller-manager',
      async run({ make, post, get, until, expect, namespace }) {
        const [first, second] = [`${namespace}-a`, `${namespace}-b`]
        await make('validatingwebhookconfigurations', failingWebhook(namespace))
        await make('namespaces', { metadata: { name: first, labels: { label: namespace } } })
        const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { generateName: 'a-' } }
        const create = () => post(`${core}/${first}/serviceaccounts`, account)
        await until('the webhook is in force', async () => (await create()).status === 500)
        await make('namespaces', { metadata: { name: second, labels: { label: namespace } } })
        const isThere = async (path: string) => (await get(`${core}/${second}/${path}`)).status === 200
        await until('controllers saw the namespace', () => isThere('configmaps/kube-root-ca.crt'))
        expect.ok(!(await isThere('serviceaccounts/default')), 'the webhook refused the service account')
      },
    },
    {
      name: 'each group version has an APIService',
      source: 'k8s.io/kube-aggregator pkg/controllers/autoregister/autoregister_controller.go @ v0.36.3',
      async run({ get, expect }) {
        expect.answer(await get('/apis/apiregistration.k8s.io/v1/apiservices/v1.apps'), 200)
      },
    },
    {
      name: 'OpenAPI documents describe built-in kinds',
      source: 'https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3',
      async run({ get, expect }) {
        const { components } = (await get('/openapi/v3/apis/policy/v1')).body as {
          components?: { schemas?: Readonly<Record<string, { description?: string }>> }
        }
        const budget = components?.schemas?.['io.k8s.api.policy.v1.PodDisruptionBudget']
        expect.same(typeof budget?.description, 'string')
      },
    },
    {
      name: 'an empty list in place of an absent one is a new generation of a NetworkPolicy',
      source: 'k8s.io/kubernetes pkg/registry/networking/networkpolicy/strategy.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('networkpolicies', { metadata: { name: 'p' }, spec: { podSelector: {} } })
        const changed = await patch('networkpolicies/p', 'merge', { spec: { ingress: [] } })
        expect.answer(changed, 200, { metadata: { generation: 2 } })
      },
    },
  ],
}
