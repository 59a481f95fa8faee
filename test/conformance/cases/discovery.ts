import type { CaseGroup } from '../case.js'

const discoveryPage = 'Kubernetes documentation, The Kubernetes API, "Discovery API"'
const aggregated = 'KEP-3352'
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

interface Listed {
  resources?: { name: string; kind: string; verbs: string[] }[]
}

interface Documented {
  schemas: Record<string, object>
}

/** Discovery of groups, resources and schemas. */
export const discovery: CaseGroup = {
  name: 'discovery',
  cases: [
    {
      name: '/version returns the version',
      source: 'k8s.io/apimachinery pkg/version/types.go @ v0.36.3',
      async run({ get, expect }) {
        expect.answer(await get('/version'), 200, {
          major: '1',
          minor: '36',
          gitVersion: /^v1\.36\./,
          platform: /\//,
        })
      },
    },
    {
      name: '/healthz, /livez and /readyz return ok',
      source: 'Kubernetes documentation, Kubernetes API health endpoints',
      async run({ get, expect }) {
        for (const path of ['/healthz', '/livez', '/readyz']) {
          const { status, text, headers } = await get(path)
          expect.same({ status, text }, { status: 200, text: 'ok' })
          expect.has(headers, { 'content-type': 'text/plain; charset=utf-8' })
        }
      },
    },
    {
      name: '/api lists the versions of the core',
      source: discoveryPage,
      async run({ get, expect }) {
        expect.answer(await get('/api'), 200, { kind: 'APIVersions', versions: ['v1'] })
      },
    },
    {
      name: '/apis lists the groups with their preferred versions',
      source: discoveryPage,
      async run({ get, expect }) {
        const answer = await get('/apis')
        expect.answer(answer, 200, { kind: 'APIGroupList', apiVersion: 'v1' })
        const groups = answer.body.groups as { name: string }[]
        expect.has(
          groups.find(({ name }) => name === 'apps'),
          {
            name: 'apps',
            versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
            preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
          },
        )
      },
    },
    {
      name: 'every common group is served',
      source: discoveryPage,
      async run({ get, expect }) {
        const { body } = await get('/apis')
        const names = (body.groups as { name: string }[]).map(({ name }) => name)
        const wanted = [
          'admissionregistration.k8s.io',
          'apiextensions.k8s.io',
          'apps',
          'authentication.k8s.io',
          'authorization.k8s.io',
          'autoscaling',
          'batch',
          'certificates.k8s.io',
          'coordination.k8s.io',
          'discovery.k8s.io',
          'events.k8s.io',
          'networking.k8s.io',
          'node.k8s.io',
          'policy',
          'rbac.authorization.k8s.io',
          'scheduling.k8s.io',
          'storage.k8s.io',
        ]
        expect.same(
          wanted.filter((name) => !names.includes(name)),
          [],
        )
      },
    },
    {
      name: '/api/v1 describes the resources of the core',
      source: discoveryPage,
      async run({ get, expect }) {
        const answer = await get('/api/v1')
        expect.answer(answer, 200, { kind: 'APIResourceList', groupVersion: 'v1' })
        const { resources = [] } = answer.body as Listed
        expect.has(
          resources.find(({ name }) => name === 'configmaps'),
          {
            name: 'configmaps',
            singularName: 'configmap',
            namespaced: true,
            kind: 'ConfigMap',
            shortNames: ['cm'],
            verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
          },
        )
        expect.has(
          resources.find(({ name }) => name === 'namespaces/finalize'),
          { namespaced: false, kind: 'Namespace', verbs: ['update'] },
        )
      },
    },
    {
      name: '/apis/apps/v1 describes its resources and subresources',
      source: discoveryPage,
      async run({ get, expect }) {
        const { resources = [] } = (await get('/apis/apps/v1')).body as Listed
        const of = (wanted: string) => resources.find(({ name }) => name === wanted)
        expect.has(of('deployments'), { kind: 'Deployment', shortNames: ['deploy'], categories: ['all'] })
        expect.has(of('deployments/scale'), { kind: 'Scale', group: 'autoscaling', version: 'v1' })
        expect.has(of('deployments/status'), { kind: 'Deployment', verbs: ['get', 'patch', 'update'] })
      },
    },
    {
      name: 'all resources of the core are served',
      source: discoveryPage,
      async run({ get, expect }) {
        const { resources = [] } = (await get('/api/v1')).body as Listed
        expect.same(
          resources.map(({ name }) => name).filter((name) => !name.includes('/')),
          [
            'bindings',
            'componentstatuses',
            'configmaps',
            'endpoints',
            'events',
            'limitranges',
            'namespaces',
            'nodes',
            'persistentvolumeclaims',
            'persistentvolumes',
            'pods',
            'podtemplates',
            'replicationcontrollers',
            'resourcequotas',
            'secrets',
            'serviceaccounts',
            'services',
          ],
        )
      },
    },
    {
      name: '/apis/apps describes the group',
      source: discoveryPage,
      async run({ get, expect }) {
        expect.answer(await get('/apis/apps'), 200, {
          kind: 'APIGroup',
          name: 'apps',
          preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
        })
      },
    },
    {
      name: 'aggregated discovery returns all groups and their resources in one response',
      source: aggregated,
      async run({ get, expect }) {
        const answer = await get('/apis', { headers: { accept: aggregatedType } })
        expect.answer(answer, 200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
        expect.has(answer.headers, { 'content-type': aggregatedType })
        const apps = answer.body.items?.find(({ metadata }) => metadata.name === 'apps')
        const versions = apps?.versions as {
          version: string
          freshness: string
          resources: { resource: string }[]
        }[]
        expect.has(versions, [{ version: 'v1', freshness: 'Current' }])
        expect.has(
          versions[0]?.resources.find(({ resource }) => resource === 'deployments'),
          {
            // Empty if they are those of the group version itself.
            responseKind: { group: '', version: '', kind: 'Deployment' },
            scope: 'Namespaced',
            singularResource: 'deployment',
            shortNames: ['deploy'],
            subresources: [{ subresource: 'scale' }, { subresource: 'status' }],
          },
        )
      },
    },
    {
      name: 'aggregated discovery contains the core, too',
      source: aggregated,
      async run({ get, expect }) {
        const answer = await get('/api', { headers: { accept: aggregatedType } })
        expect.answer(answer, 200, {
          kind: 'APIGroupDiscoveryList',
          items: [{ versions: [{ version: 'v1' }] }],
        })
      },
    },
    {
      name: 'a missing group is a plain 404',
      source: 'k8s.io/apiserver pkg/server/handler.go @ v0.36.3',
      async run({ get, expect }) {
        const { status, text } = await get('/apis/none.example.com')
        expect.same({ status, text }, { status: 404, text: '404 page not found\n' })
      },
    },
    {
      name: 'OpenAPI v3 has a document for each version',
      source: 'KEP-2896',
      async run({ get, expect }) {
        const answer = await get('/openapi/v3')
        expect.answer(answer, 200)
        const paths = answer.body.paths as Record<string, { serverRelativeURL: string }>
        expect.has(paths['api/v1'], { serverRelativeURL: /^\/openapi\/v3\/api\/v1\?hash=/ })
        const { status, body } = await get(paths['apis/apps/v1']?.serverRelativeURL ?? '/none')
        expect.same(status, 200)
        expect.has(body, { openapi: /^3\.0/ })
      },
    },
    {
      name: 'a document of OpenAPI v3 has the schemas of its kinds',
      source: 'KEP-2896',
      async run({ get, expect }) {
        const { schemas } = (await get('/openapi/v3/apis/apps/v1')).body.components as Documented
        expect.has(schemas['io.k8s.api.apps.v1.Deployment'], {
          type: 'object',
          properties: {
            spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }] },
          },
          'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
        })
        expect.has(schemas['io.k8s.api.core.v1.Container'], {
          required: ['name'],
          properties: {
            imagePullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
            ports: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
              'x-kubernetes-patch-merge-key': 'containerPort',
            },
          },
        })
        expect.ok(schemas['io.k8s.api.apps.v1.DeploymentList'] !== undefined, 'lists have schemas')
      },
    },
    {
      name: 'schemas have the sizes of integers, Go’s zero values as defaults, and the types of elements',
      source: 'k8s.io/kube-openapi pkg/generators/openapi.go',
      async run({ get, expect }) {
        const { schemas } = (await get('/openapi/v3/api/v1')).body.components as Documented
        const element = { type: 'string', default: '' }
        expect.has(schemas['io.k8s.api.core.v1.PodSpec'], {
          properties: {
            priority: { type: 'integer', format: 'int32' },
            activeDeadlineSeconds: { type: 'integer', format: 'int64' },
            nodeSelector: { additionalProperties: element },
          },
        })
        expect.has(schemas['io.k8s.api.core.v1.Container'], {
          properties: { name: { type: 'string', default: '' }, command: { items: element } },
        })
        const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
        expect.has(schemas['io.k8s.api.core.v1.PersistentVolumeClaimSpec'], {
          properties: { accessModes: { items: { ...element, enum: modes } } },
        })
      },
    },
    {
      name: 'the schema of CustomResourceDefinitions is recursive',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go @ v0.36.3',
      async run({ get, expect }) {
        const { schemas } = (await get('/openapi/v3/apis/apiextensions.k8s.io/v1')).body
          .components as Documented
        const types = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
        const schema = { allOf: [{ $ref: `#/components/schemas/${types}.JSONSchemaProps` }] }
        expect.has(schemas[`${types}.CustomResourceValidation`], { properties: { openAPIV3Schema: schema } })
        expect.has(schemas[`${types}.JSONSchemaProps`], {
          properties: {
            properties: { type: 'object', additionalProperties: { default: {}, ...schema } },
            maxLength: { type: 'integer', format: 'int64' },
            maximum: { type: 'number', format: 'double' },
          },
        })
      },
    },
    {
      name: 'a document of OpenAPI v3 is cached by its hash',
      source: 'k8s.io/kube-openapi pkg/handler3/handler.go',
      async run({ get, expect }) {
        const index = (await get('/openapi/v3')).body.paths as Record<string, { serverRelativeURL: string }>
        const url = index['apis/policy/v1']?.serverRelativeURL ?? ''
        const kept = await get(url)
        expect.has(kept.headers, { 'cache-control': 'public, immutable', expires: /UTC$/, vary: 'Accept' })
        const { etag = '' } = kept.headers
        expect.same(etag, `"${url.slice(url.indexOf('=') + 1)}"`)
        const other = await get('/openapi/v3/apis/policy/v1?hash=AB')
        expect.same([other.status, other.headers.location], [301, url])
        const again = await get('/openapi/v3/apis/policy/v1', { headers: { 'if-none-match': etag } })
        expect.same([again.status, again.text], [304, ''])
        expect.same((await get('/openapi/v3/apis/policy/v9')).status, 404)
      },
    },
    {
      name: 'OpenAPI v2 is one document',
      source: 'Kubernetes documentation, The Kubernetes API, "OpenAPI V2"',
      async run({ get, expect }) {
        expect.answer(await get('/openapi/v2'), 200, { swagger: '2.0', info: { title: 'Kubernetes' } })
      },
    },
    {
      name: 'the root lists the paths',
      source: 'k8s.io/apiserver pkg/server/routes/index.go @ v0.36.3',
      async run({ get, expect }) {
        const answer = await get('/')
        expect.answer(answer, 200)
        const paths = answer.body.paths as string[]
        expect.ok(
          paths.includes('/api/v1') && paths.includes('/apis/apps/v1') && paths.includes('/version'),
          'paths',
        )
      },
    },
  ],
}
