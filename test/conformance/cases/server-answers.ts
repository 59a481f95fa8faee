import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define, definitionOf } from '../custom-resource.js'

const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } }
const token = 'serviceaccounts/default/token'
const tokenRequest = (members: object) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  ...members,
})
const policyRules = [
  { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
]

/** The messages of a `Warning` header, in their own order. */
function warningsIn(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = '']) => text.replaceAll('\\"', '"'))
    .sort()
}

const readStatus = async (read: () => Promise<object>) => Object(await read()).status as unknown

async function refusesResult(client: CaseClient, [path, spec]: readonly [string, object], why: string) {
  const { namespace } = client
  const matchConstraints = { resourceRules: policyRules }
  const body = { metadata: { name: namespace }, spec: { matchConstraints, ...spec } }
  client.expect.invalid(await client.post('validatingadmissionpolicies?dryRun=All', body), {
    kind: 'ValidatingAdmissionPolicy',
    group: 'admissionregistration.k8s.io',
    name: namespace,
    because: [`${path}: Invalid value: "object.spec.a": ${why}`],
  })
}

/** Members of answers that few clients read. */
export const serverAnswers: CaseGroup = {
  name: 'server-answers',
  cases: [
    {
      name: 'the API server has a Service with an endpoint, and makes them again',
      source: 'k8s.io/kubernetes pkg/controlplane/controller/kubernetesservice @ v1.36.3',
      async run({ read, get, delete: remove, patch, expect }) {
        const at = (group: string, plural: string) => `${group}/v1/namespaces/default/${plural}/kubernetes`
        // A kube-apiserver looks every ten seconds; the case has a minute.
        const again = async (
          path: string,
          isThere: (object: Readonly<Record<string, unknown>>) => boolean,
        ) => {
          const deadline = Date.now() + 50_000
          while (Date.now() < deadline) {
            const { status, body } = await get(path)
            if (status === 200 && isThere(body)) return
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
          throw new Error(`not as expected within 50 s: ${path}`)
        }
        await again(at('/apis/discovery.k8s.io', 'endpointslices'), () => true)
        const service = await read(at('/api', 'services'))
        expect.has(service, {
          metadata: {
            labels: { component: 'apiserver', provider: 'kubernetes' },
            managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
          },
          spec: {
            clusterIP: '10.96.0.1',
            clusterIPs: ['10.96.0.1'],
            internalTrafficPolicy: 'Cluster',
            ipFamilies: ['IPv4'],
            ipFamilyPolicy: 'SingleStack',
            ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
            sessionAffinity: 'None',
            type: 'ClusterIP',
          },
        })
        const endpoints = await read(at('/api', 'endpoints'))
        expect.has(endpoints, {
          metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
          subsets: [{ ports: [{ name: 'https', protocol: 'TCP' }] }],
        })
        const slice = await read(at('/apis/discovery.k8s.io', 'endpointslices'))
        expect.has(slice, {
          metadata: { generation: 1, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
          addressType: 'IPv4',
          endpoints: [{ conditions: { ready: true } }],
          ports: [{ name: 'https', protocol: 'TCP' }],
        })
        const subsets = [
          { addresses: [{ ip: '10.9.8.7' }], ports: [{ name: 'https', port: 1, protocol: 'TCP' }] },
        ]
        expect.answer(await patch(at('/api', 'endpoints'), 'merge', { subsets }), 200)
        await remove(at('/api', 'services'))
        await remove(at('/apis/discovery.k8s.io', 'endpointslices'))
        await again(
          at('/api', 'services'),
          ({ spec }) => (spec as { clusterIP?: string }).clusterIP === '10.96.0.1',
        )
        await again(
          at('/api', 'endpoints'),
          (object) => JSON.stringify(object.subsets) === JSON.stringify(endpoints.subsets),
        )
        await again(at('/apis/discovery.k8s.io', 'endpointslices'), (object) => {
          return JSON.stringify(object.endpoints) === JSON.stringify(slice.endpoints)
        })
      },
    },
    {
      name: 'the certificate for client certificates can be read by the control plane',
      source: 'k8s.io/kubernetes pkg/controlplane/controller/clusterauthenticationtrust @ v1.36.3',
      async run({ read, expect }) {
        const name = 'extension-apiserver-authentication'
        const { data } = await read(`/api/v1/namespaces/kube-system/configmaps/${name}`)
        const { 'client-ca-file': authority } = data as Record<string, string>
        expect.ok(authority?.startsWith('-----BEGIN CERTIFICATE-----'), 'it has the certificate')
        const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system'
        const role = await read(`${rbac}/roles/${name}-reader`)
        const rules = [
          {
            verbs: ['get', 'list', 'watch'],
            apiGroups: [''],
            resources: ['configmaps'],
            resourceNames: [name],
          },
        ]
        expect.same(role.rules, rules)
        const binding = await read(`${rbac}/rolebindings/system::${name}-reader`)
        expect.has(binding, {
          roleRef: { kind: 'Role', name: `${name}-reader` },
          subjects: [{ name: 'system:kube-controller-manager' }, { name: 'system:kube-scheduler' }],
        })
      },
    },
    {
      name: 'the expressions of a policy are checked against the schemas of its kinds',
      source: 'k8s.io/kubernetes pkg/controller/validatingadmissionpolicystatus @ v1.36.3',
      needs: 'controller-manager',
      async run(client) {
        const { namespace: name, expect } = client
        const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'] }
        const rules = [{ ...rule, resources: ['statefulsets', 'deployments', 'deployments/scale'] }]
        const spec = {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: { resourceRules: rules },
          validations: [
            { expression: 'object.spec.replicas > 1 && object.metadata.name != params.metadata.name' },
            { expression: 'object.spec.replicas == "many"', messageExpression: '"a" + object.kind' },
            { expression: 'true', messageExpression: 'string(object.spec.template.spec.colour)' },
            { expression: 'params.data.size() > 0 && params.colour == 1' },
          ],
        }
        await client.make('validatingadmissionpolicies', { metadata: { name }, spec })
        const read = () => client.read(`validatingadmissionpolicies/${name}`)
        await client.until(
          'the policy is checked',
          async () => 'typeChecking' in Object(await readStatus(read)),
        )
        const mismatch = "found no matching overload for '_==_' applied to '(int, string)'"
        const at = `ERROR: <input>:1:22: ${mismatch}\n | object.spec.replicas == "many"\n | .....................^`
        const text = 'string(object.spec.template.spec.colour)'
        const noField = `ERROR: <input>:1:33: undefined field 'colour'\n | ${text}\n | ${'.'.repeat(32)}^`
        const params = 'params.data.size() > 0 && params.colour == 1'
        const noColour = `ERROR: <input>:1:33: undefined field 'colour'\n | ${params}\n | ${'.'.repeat(32)}^`
        const kinds = ['apps/v1, Kind=Deployment', 'apps/v1, Kind=StatefulSet']
        const each = (problem: string) => kinds.map((kind) => `${kind}: ${problem}\n`).join('\n')
        expect.same(await readStatus(read), {
          observedGeneration: 1,
          typeChecking: {
            expressionWarnings: [
              { fieldRef: 'spec.validations[1].expression', warning: each(at) },
              { fieldRef: 'spec.validations[2].messageExpression', warning: each(noField) },
              { fieldRef: 'spec.validations[3].expression', warning: each(noColour) },
            ],
          },
        })
        const { metadata } = await read()
        const writers = (metadata as { managedFields: { manager: string; fieldsV1: object }[] }).managedFields
        expect.has(
          writers.find(({ manager }) => manager === 'validatingadmissionpolicy-status'),
          {
            operation: 'Apply',
            subresource: 'status',
            fieldsV1: { 'f:status': { 'f:observedGeneration': {} } },
          },
        )
        await client.delete(`validatingadmissionpolicies/${name}`)
      },
    },
    {
      name: 'every part of a deprecated version warns',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
        const version = { deprecated: true, subresources: { status: {}, scale } }
        const cars = await define(client, { spec: replicas, properties: { status: replicas }, version })
        await cars.make('x', { spec: { replicas: 1 } })
        for (const part of ['', '/status', '/scale']) {
          const path = `${cars.path('x')}${part}`
          const found = await client.get(path)
          const put = await client.put(path, found.body)
          const patch = await client.patch(path, 'merge', { spec: { replicas: 2 } })
          for (const { status, headers } of [found, put, patch]) {
            client.expect.same(status, 200)
            client.expect.same(warningsIn(headers.warning), [`${cars.group}/v1 Car is deprecated`])
          }
        }
      },
    },
    {
      name: 'a definition with unknown formats warns about each, and later about new ones',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go @ v0.36.3',
      async run(client) {
        const spec = {
          type: 'object',
          properties: {
            a: { type: 'string', format: 'foo' },
            b: { type: 'integer', format: 'int16' },
            c: { type: 'array', items: { type: 'number', format: 'bar' } },
            d: { type: 'string', format: 'date-time' },
            e: { type: 'integer', format: 'int64' },
            f: { type: 'object', format: 'box', additionalProperties: { type: 'string', format: 'foo' } },
          },
        }
        const body = definitionOf(client, { spec })
        const made = await client.post('customresourcedefinitions', body)
        client.expect.answer(made, 201)
        const unknown = ['bar', 'box', 'foo', 'int16'].map((format) => `unrecognized format "${format}"`)
        client.expect.same(warningsIn(made.headers.warning), unknown)
        const path = `customresourcedefinitions/cars.${client.namespace}.example.com`
        const add = (format: string) => {
          const at = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/g'
          const step = { op: 'add', path: at, value: { type: 'string', format } }
          return client.patch(path, 'json', [step])
        }
        client.expect.same(warningsIn((await add('foo')).headers.warning), [])
        client.expect.same(warningsIn((await add('new')).headers.warning), ['unrecognized format "new"'])
      },
    },
    {
      name: 'the answer to a token request has its metadata and its owner',
      source: 'k8s.io/kubernetes pkg/registry/core/serviceaccount/storage/token.go @ v1.36.3',
      async run({ post, expect, namespace }) {
        const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } }
        const spec = { audiences: ['e'] }
        const answer = await post(`${token}?fieldManager=m`, tokenRequest({ metadata, spec }))
        expect.answer(answer, 201, {
          metadata: {
            ...metadata,
            name: 'default',
            namespace,
            managedFields: [
              {
                manager: 'm',
                operation: 'Update',
                apiVersion: 'authentication.k8s.io/v1',
                subresource: 'token',
                fieldsV1: {
                  'f:metadata': {
                    'f:annotations': { '.': {}, 'f:c': {} },
                    'f:labels': { '.': {}, 'f:a': {} },
                  },
                  'f:spec': { 'f:audiences': {}, 'f:expirationSeconds': {} },
                },
              },
            ],
          },
        })
      },
    },
    {
      name: 'a token request may not have unknown fields if it is strict',
      source: 'KEP-2885',
      async run({ post, expect }) {
        const body = tokenRequest({ spec: { surprise: 1 } })
        expect.refused(await post(`${token}?fieldValidation=Strict`, body), {
          code: 400,
          reason: 'BadRequest',
          message:
            'TokenRequest in version "v1" cannot be handled as a TokenRequest: strict decoding error: unknown field "spec.surprise"',
        })
        const { status, headers } = await post(token, body)
        expect.same([status, warningsIn(headers.warning)], [201, ['unknown field "spec.surprise"']])
      },
    },
    {
      name: 'a result of an unknown type is not one of the right type',
      source: 'k8s.io/apiserver pkg/admission/plugin/cel/compile.go @ v0.36.3',
      async run(client) {
        const validations = (one: object) => ({ validations: [{ expression: 'true', ...one }] })
        await refusesResult(
          client,
          ['spec.validations[0].expression', validations({ expression: 'object.spec.a' })],
          'must evaluate to bool but got dyn',
        )
        await refusesResult(
          client,
          ['spec.validations[0].messageExpression', validations({ messageExpression: 'object.spec.a' })],
          'must evaluate to string but got dyn',
        )
        const auditAnnotations = [{ key: 'k', valueExpression: 'object.spec.a' }]
        await refusesResult(
          client,
          ['spec.auditAnnotations[0].valueExpression', { auditAnnotations }],
          'must evaluate to one of [string null_type] but got dyn',
        )
        const matchConditions = [{ name: 'm', expression: 'object.spec.a' }]
        await refusesResult(
          client,
          ['spec.matchConditions[0].expression', { ...validations({}), matchConditions }],
          'must evaluate to bool but got dyn',
        )
      },
    },
  ],
}
