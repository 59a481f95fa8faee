import type { CaseGroup } from '../case.js'

const negotiation = 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/errors.go @ v0.36.3'

/** The media types of bodies. */
export const mediaTypes: CaseGroup = {
  name: 'media-types',
  cases: [
    {
      name: 'a body of an unknown type is rejected',
      source: negotiation,
      async run({ cluster, path, expect }) {
        const answer = await cluster.request({
          method: 'POST',
          path: path('configmaps'),
          headers: { 'content-type': 'text/plain' },
          body: '{}',
        })
        expect.answer(answer, 415, {
          reason: 'UnsupportedMediaType',
          message:
            /^the body of the request was in an unknown format - accepted media types include: application\/json/,
        })
      },
    },
    {
      name: 'a body without a type is JSON',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/negotiate.go @ v0.36.3',
      async run({ cluster, path, expect }) {
        const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'
        expect.answer(await cluster.request({ method: 'POST', path: path('configmaps'), body }), 201)
      },
    },
    {
      name: 'a type with a charset is JSON',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/negotiate.go @ v0.36.3',
      async run({ cluster, path, expect }) {
        const answer = await cluster.request({
          method: 'POST',
          path: path('configmaps'),
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
        })
        expect.answer(answer, 201)
      },
    },
    {
      name: 'a body may be YAML',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/codec_factory.go @ v0.36.3',
      async run({ post, expect }) {
        const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "v"\n'
        const answer = await post('configmaps', yaml, { headers: { 'content-type': 'application/yaml' } })
        expect.answer(answer, 201, { data: { k: 'v' } })
      },
    },
    {
      name: 'a response may be YAML',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/codec_factory.go @ v0.36.3',
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await get('configmaps/a', { headers: { accept: 'application/yaml' } })
        expect.same(answer.headers['content-type'], 'application/yaml')
        expect.ok(answer.text.startsWith('apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\n'), answer.text)
      },
    },
    {
      name: 'an unknown type of response is rejected',
      source: negotiation,
      async run({ get, expect }) {
        expect.refused(await get('configmaps', { headers: { accept: 'text/html' } }), {
          code: 406,
          reason: 'NotAcceptable',
          message:
            '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
          details: {},
        })
      },
    },
    {
      name: 'the default type of a response is JSON',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/negotiate.go @ v0.36.3',
      async run({ get, expect }) {
        for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.9, */*;q=0.8']) {
          expect.has((await get('configmaps', { headers: { accept } })).headers, {
            'content-type': 'application/json',
          })
        }
      },
    },
    {
      name: 'the first known one of several types is used',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/negotiate.go @ v0.36.3',
      async run({ get, expect }) {
        const accept = 'application/json;as=Unknown;g=meta.k8s.io;v=v1,application/json'
        expect.answer(await get('configmaps', { headers: { accept } }), 200, { kind: 'ConfigMapList' })
      },
    },
    {
      name: 'a patch of an unknown type is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch(
          'configmaps/a',
          'merge',
          {},
          { headers: { 'content-type': 'application/json' } },
        )
        expect.refused(answer, {
          code: 415,
          reason: 'UnsupportedMediaType',
          message: '415: Unsupported Media Type',
          details: {},
        })
      },
    },
    {
      name: 'a pretty response is indented',
      source: 'Kubernetes API reference, query parameter pretty',
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const { text } = await get('configmaps/a?pretty=true')
        expect.ok(text.startsWith('{\n  "kind": "ConfigMap",\n  "apiVersion": "v1",\n'), text)
      },
    },
    {
      name: 'a large response is compressed if the client accepts that',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/responsewriters/writers.go @ v0.36.3',
      async run({ make, cluster, path, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'x'.repeat(200_000) } })
        const call = { method: 'GET', path: path('configmaps/a'), headers: { 'accept-encoding': 'gzip' } }
        expect.has((await cluster.request(call)).headers, { 'content-encoding': 'gzip' })
      },
    },
    {
      name: 'a response names the flow of its request',
      source: 'Kubernetes documentation, API Priority and Fairness',
      async run({ get, expect }) {
        expect.has((await get('configmaps')).headers, {
          'audit-id': /.{36}/,
          'x-kubernetes-pf-flowschema-uid': /.{36}/,
          'x-kubernetes-pf-prioritylevel-uid': /.{36}/,
        })
      },
    },
    {
      name: 'a response has the audit ID of its request',
      source: 'k8s.io/apiserver pkg/endpoints/filters/audit_init.go @ v0.36.3',
      async run({ get, expect }) {
        const first = await get('configmaps', { headers: { 'audit-id': 'my own' } })
        expect.same(first.headers['audit-id'], 'my own')
        const second = await get('configmaps/none', { headers: { 'audit-id': '' } })
        expect.has(second.headers, { 'audit-id': /^[0-9a-f-]{36}$/ })
      },
    },
    {
      name: 'the flow of a request depends on its user and its resource',
      source: 'k8s.io/apiserver pkg/apis/flowcontrol/bootstrap/default.go @ v0.36.3',
      async run({ get, expect }) {
        const flowOf = async (reference: string, user: string, ...groups: string[]) => {
          const [group = 'system:authenticated'] = groups
          const headers = { 'impersonate-user': user, 'impersonate-group': group }
          const answer = await get(reference, { headers: user === '' ? {} : headers })
          return answer.headers['x-kubernetes-pf-flowschema-uid']
        }
        const lease = 'leases/a'
        const flows = [
          await flowOf('configmaps', ''),
          await flowOf('configmaps', 'somebody'),
          await flowOf('/healthz', 'somebody'),
          await flowOf('/version', 'system:node:n', 'system:nodes'),
          await flowOf('nodes', 'system:node:n', 'system:nodes'),
          await flowOf('pods', 'system:kube-controller-manager'),
          await flowOf('pods', 'system:kube-scheduler'),
          await flowOf(lease, 'system:kube-scheduler'),
          await flowOf('pods', 'system:serviceaccount:kube-system:a', 'system:serviceaccounts:kube-system'),
          await flowOf('pods', 'system:serviceaccount:default:a', 'system:serviceaccounts'),
        ]
        expect.same(new Set(flows).size, flows.length)
        expect.same(await flowOf('nodes/n/status', 'system:node:n', 'system:nodes'), flows[4])
        expect.same(await flowOf(lease, 'system:node:n', 'system:nodes'), flows[4])
        expect.same(await flowOf(lease, 'system:kube-controller-manager'), flows[7])
        expect.same(await flowOf('leases', 'system:kube-controller-manager'), flows[5])
        expect.same(await flowOf('secrets', ''), flows[0])
        expect.same(await flowOf('/version', 'somebody else'), flows[1])
      },
    },
  ],
}
