import type { CaseGroup } from '../case.js'

const names = 'Kubernetes documentation, Object names and IDs'
const registry = 'k8s.io/apiserver pkg/registry/rest/create.go @ v0.36.3'
const generated = 'Kubernetes API conventions, "Metadata"; KEP-4420'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const wrongName = (kind: string, name: string, message: string) => ({
  kind,
  name,
  because: [`metadata.name: Invalid value: ${JSON.stringify(name)}: ${message}`],
})

/** Creates, and the names of objects. */
export const createNames: CaseGroup = {
  name: 'create-names',
  cases: [
    {
      name: 'a create is answered with 201',
      source: 'Kubernetes API conventions, "HTTP Status codes"',
      async run({ post, expect, namespace }) {
        const answer = await post('configmaps', { metadata: { name: 'a' } })
        expect.answer(answer, 201, {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: 'a', namespace },
        })
      },
    },
    {
      name: 'a duplicate name is a conflict',
      source: 'k8s.io/apimachinery pkg/api/errors/errors.go @ v0.36.3',
      async run({ make, post, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await post('configmaps', { metadata: { name: 'a' } }), {
          code: 409,
          reason: 'AlreadyExists',
          message: 'configmaps "a" already exists',
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'objects of two kinds may have the same name',
      source: names,
      async run({ make }) {
        await make('configmaps', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'a' } })
      },
    },
    {
      name: 'an object without a name is rejected',
      source: registry,
      async run({ post, expect }) {
        expect.invalid(await post('configmaps', { metadata: {} }), {
          kind: 'ConfigMap',
          name: '',
          because: ['metadata.name: Required value: name or generateName is required'],
        })
      },
    },
    {
      name: 'a generated name consists of the prefix and five characters',
      source: generated,
      async run({ make, expect }) {
        const { metadata } = await make('configmaps', { metadata: { generateName: 'made-' } })
        expect.has(metadata, { name: /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/, generateName: 'made-' })
      },
    },
    {
      name: 'two generated names differ',
      source: generated,
      async run({ make, expect }) {
        const first = await make('configmaps', { metadata: { generateName: 'made-' } })
        const second = await make('configmaps', { metadata: { generateName: 'made-' } })
        expect.ok(first.metadata.name !== second.metadata.name, 'two names')
      },
    },
    {
      name: 'a name has precedence over generateName',
      source: generated,
      async run({ make, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a', generateName: 'made-' } })
        expect.has(metadata, { name: 'a', generateName: 'made-' })
      },
    },
    {
      name: 'a name that is taken is another conflict with a generateName',
      source: 'k8s.io/apiserver pkg/registry/rest/create.go @ v0.36.3, CheckGeneratedNameError',
      async run({ make, post, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await post('configmaps', { metadata: { name: 'a', generateName: 'made-' } })
        expect.refused(answer, {
          code: 409,
          reason: 'AlreadyExists',
          message:
            'configmaps "a" already exists, the server was not able to generate a unique name for the object',
          details: { name: 'a', kind: 'configmaps', retryAfterSeconds: 1 },
        })
        expect.same(answer.headers['retry-after'], '1')
      },
    },
    {
      name: 'a long generateName is cut so that the name fits',
      source: 'k8s.io/apiserver pkg/storage/names/generate.go @ v0.36.3',
      async run({ make, expect }) {
        const { metadata } = await make('configmaps', { metadata: { generateName: 'x'.repeat(100) } })
        expect.has(metadata, { name: /^x{58}[a-z0-9]{5}$/ })
      },
    },
    {
      name: 'an upper-case name is rejected',
      source: names,
      async run({ post, expect }) {
        const answer = await post('configmaps', { metadata: { name: 'Capital' } })
        expect.invalid(answer, wrongName('ConfigMap', 'Capital', subdomain))
      },
    },
    {
      name: 'a name with an underscore is rejected',
      source: names,
      async run({ post, expect }) {
        expect.invalid(
          await post('secrets', { metadata: { name: 'under_score' } }),
          wrongName('Secret', 'under_score', subdomain),
        )
      },
    },
    {
      name: 'the name of a ConfigMap may contain dots',
      source: names,
      async run({ make }) {
        await make('configmaps', { metadata: { name: 'kube-root.example.com' } })
      },
    },
    {
      name: 'a name of 253 characters is allowed and one of 254 is not',
      source: names,
      async run({ make, post, expect }) {
        await make('configmaps', { metadata: { name: 'x'.repeat(253) } })
        const name = 'x'.repeat(254)
        expect.invalid(
          await post('configmaps', { metadata: { name } }),
          wrongName('ConfigMap', name, 'must be no more than 253 characters'),
        )
      },
    },
    {
      name: 'the name of a Namespace must not contain dots',
      source: names,
      async run({ post, expect }) {
        expect.invalid(
          await post('namespaces', { metadata: { name: 'a.b' } }),
          wrongName('Namespace', 'a.b', 'must not contain dots'),
        )
      },
    },
    {
      name: 'the name of a Namespace has at most 63 characters',
      source: names,
      async run({ post, expect }) {
        const name = 'x'.repeat(64)
        // The name is a label, too.
        expect.invalid(await post('namespaces', { metadata: { name } }), {
          kind: 'Namespace',
          name,
          because: [
            `metadata.name: Invalid value: "${name}": must be no more than 63 characters`,
            `metadata.labels: Invalid value: "${name}": must be no more than 63 bytes`,
          ],
        })
      },
    },
    {
      name: 'the name of a Service may start with a digit',
      source: 'KEP-5311',
      async run({ make }) {
        await make('services', { metadata: { name: '1a' }, spec: { ports: [{ port: 80 }] } })
      },
    },
    {
      name: 'the name of a Service must not contain dots',
      source: 'KEP-5311',
      async run({ post, expect }) {
        const answer = await post('services', { metadata: { name: 'a.b' }, spec: { ports: [{ port: 80 }] } })
        expect.invalid(answer, wrongName('Service', 'a.b', 'must not contain dots'))
      },
    },
    {
      name: 'a Role may have any name that fits into a path',
      source: 'k8s.io/apimachinery pkg/api/validation/path/name.go @ v0.36.3',
      async run({ make, post, expect }) {
        await make('roles', { metadata: { name: 'system:Mixed_Case' } })
        expect.invalid(await post('roles', { metadata: { name: 'a%b' } }), {
          kind: 'Role',
          group: 'rbac.authorization.k8s.io',
          name: 'a%b',
          because: ['metadata.name: Invalid value: "a%b": may not contain \'%\''],
        })
      },
    },
    {
      name: 'the namespace of the URL is filled in',
      source: registry,
      async run({ make, expect, namespace }) {
        expect.has(await make('configmaps', { metadata: { name: 'a' } }), { metadata: { namespace } })
      },
    },
    {
      name: 'another namespace than that of the URL is rejected',
      source: registry,
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { metadata: { name: 'a', namespace: 'default' } }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the namespace of the provided object does not match the namespace sent on the request',
        })
      },
    },
    {
      name: 'a namespaced object cannot be created without a namespace',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ post, expect }) {
        const answer = await post(
          '/api/v1/configmaps',
          '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
        )
        expect.answer(answer, 405, { reason: 'MethodNotAllowed' })
      },
    },
    {
      name: 'an object in a missing namespace is rejected',
      source: 'k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle/admission.go @ v0.36.3',
      async run({ post, expect, namespace }) {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
        expect.refused(
          await post(`/api/v1/namespaces/${namespace}-none/configmaps`, body, {
            headers: { 'content-type': 'application/json' },
          }),
          {
            code: 404,
            reason: 'NotFound',
            message: `namespaces "${namespace}-none" not found`,
            details: { name: `${namespace}-none`, kind: 'namespaces' },
          },
        )
      },
    },
    {
      name: 'a create must not have a resourceVersion',
      source: 'k8s.io/apiserver pkg/storage/etcd3/store.go @ v0.36.3',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { metadata: { name: 'a', resourceVersion: '7' } }), {
          code: 500,
          message: 'resourceVersion should not be set on objects to be created',
        })
      },
    },
    {
      name: 'the server sets uid and times, and ignores those of the object',
      source: 'k8s.io/apiserver pkg/registry/rest/meta.go @ v0.36.3',
      async run({ make, expect }) {
        const { metadata } = await make('configmaps', {
          metadata: {
            name: 'a',
            uid: 'mine',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 30,
            selfLink: '/mine',
            generation: 7,
          },
        })
        expect.ok(metadata.uid !== 'mine' && metadata.creationTimestamp !== '2001-01-01T00:00:00Z', 'its own')
        expect.has(metadata, {
          deletionTimestamp: undefined,
          deletionGracePeriodSeconds: undefined,
          selfLink: undefined,
        })
      },
    },
    {
      name: 'another kind than that of the URL is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { kind: 'Secret', metadata: { name: 'a' } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
        })
      },
    },
    {
      name: 'another apiVersion than that of the URL is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { apiVersion: 'v2', metadata: { name: 'a' } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
        })
      },
    },
    {
      name: 'kind and apiVersion may be omitted',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ post, expect }) {
        expect.answer(await post('configmaps', '{"metadata":{"name":"a"}}'), 201, { kind: 'ConfigMap' })
      },
    },
    {
      name: 'a create ignores the status',
      source: 'Kubernetes API conventions, "Spec and Status"',
      async run({ make, expect }) {
        const made = await make('persistentvolumeclaims', {
          metadata: { name: 'a' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          status: { phase: 'Bound' },
        })
        expect.same(made.status, { phase: 'Pending' })
      },
    },
    {
      name: 'a kind with a spec starts at generation 1',
      source: 'Kubernetes API conventions, "Metadata"',
      async run({ make, expect }) {
        const made = await make('networkpolicies', {
          metadata: { name: 'a', generation: 9 },
          spec: { podSelector: {} },
        })
        expect.same(made.metadata.generation, 1)
      },
    },
  ],
}
