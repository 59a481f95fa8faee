import type { CaseGroup } from '../case.js'

const doc = 'Kubernetes documentation, Server-Side Apply'
const conflicts = `${doc}, "Conflicts"`
const configMap = (data?: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data === undefined ? {} : { data }),
})
const service = (...ports: object[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  spec: { ports },
})

/** Server-side apply. */
export const apply: CaseGroup = {
  name: 'apply',
  cases: [
    {
      name: 'an apply creates a missing object and answers 201',
      source: doc,
      async run({ patch, expect }) {
        expect.answer(await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: '1' })), 201, {
          metadata: {
            managedFields: [
              { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:x': {} } } },
            ],
          },
          data: { x: '1' },
        })
      },
    },
    {
      name: 'an apply without a field manager is rejected',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ patch, expect }) {
        expect.invalid(await patch('configmaps/a', 'apply', configMap()), {
          kind: 'PatchOptions',
          group: 'meta.k8s.io',
          name: '',
          because: ['fieldManager: Required value: is required for apply patch'],
        })
      },
    },
    {
      name: 'an object in another may have a kind, and a template of one has none',
      source: 'k8s.io/api apps/v1/types.go, StatefulSetSpec, and core/v1/types.go, PodTemplateSpec',
      async run({ patch, post, expect }) {
        const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } }
        const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
        const template = {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'a', image: 'a' }] },
        }
        const set = (pods: object) => ({
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name: 'a' },
          spec: {
            serviceName: 'a',
            selector: { matchLabels: { app: 'a' } },
            template: pods,
            volumeClaimTemplates: [{ ...claim, spec: size }],
          },
        })
        const made = await patch('statefulsets/a?fieldManager=m', 'apply', set(template))
        expect.answer(made, 201, { spec: { volumeClaimTemplates: [claim] } })
        const odd = set({ ...template, kind: 'Pod' })
        const strict = await post('statefulsets?fieldValidation=Strict&dryRun=All', {
          ...odd,
          metadata: { name: 'b' },
        })
        expect.answer(strict, 400, {
          message: `StatefulSet in version "v1" cannot be handled as a StatefulSet: strict decoding error: unknown field "spec.template.kind"`,
        })
        const applied = await patch('statefulsets/a?fieldManager=m', 'apply', odd)
        expect.answer(applied, 500, {
          message:
            'failed to create typed patch object (/a; apps/v1, Kind=StatefulSet): .spec.template.kind: field not declared in schema',
        })
      },
    },
    {
      name: 'an apply may be YAML',
      source: doc,
      async run({ patch, expect }) {
        const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n'
        expect.answer(await patch('configmaps/a?fieldManager=m', 'apply', text), 201, { data: { x: '1' } })
      },
    },
    {
      name: 'a different value for a field of another manager is a conflict',
      source: conflicts,
      async run({ post, patch, expect }) {
        await post('configmaps?fieldManager=writer', configMap({ x: '1' }))
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: '2' })), {
          code: 409,
          reason: 'Conflict',
          message: 'Apply failed with 1 conflict: conflict with "writer" using v1: .data.x',
          details: {
            causes: [
              {
                reason: 'FieldManagerConflict',
                message: 'conflict with "writer" using v1',
                field: '.data.x',
              },
            ],
          },
        })
      },
    },
    {
      name: 'several conflicts are listed by manager',
      source: conflicts,
      async run({ patch, expect }) {
        await patch('configmaps/a?fieldManager=first', 'apply', configMap({ x: '1', y: '1' }))
        const { status, body } = await patch(
          'configmaps/a?fieldManager=m',
          'apply',
          configMap({ x: '2', y: '2' }),
        )
        expect.same(
          [status, body.message],
          [409, 'Apply failed with 2 conflicts: conflicts with "first":\n- .data.x\n- .data.y'],
        )
      },
    },
    {
      name: 'a forced apply takes ownership of the field',
      source: conflicts,
      async run({ patch, expect }) {
        await patch('configmaps/a?fieldManager=first', 'apply', configMap({ x: '1', y: '1' }))
        const forced = await patch('configmaps/a?fieldManager=m&force=true', 'apply', configMap({ x: '2' }))
        expect.answer(forced, 200, {
          metadata: {
            managedFields: [
              { manager: 'first', fieldsV1: { 'f:data': { 'f:y': {} } } },
              { manager: 'm', fieldsV1: { 'f:data': { 'f:x': {} } } },
            ],
          },
          data: { x: '2', y: '1' },
        })
      },
    },
    {
      name: 'two managers may own a field with the same value, which is kept until both give it up',
      source: `${doc}, "Transferring ownership"`,
      async run({ patch, expect }) {
        await patch('configmaps/a?fieldManager=first', 'apply', configMap({ x: '1' }))
        await patch('configmaps/a?fieldManager=second', 'apply', configMap({ x: '1' }))
        const one = await patch('configmaps/a?fieldManager=first', 'apply', configMap())
        expect.same(one.body.data, { x: '1' })
        const none = await patch('configmaps/a?fieldManager=second', 'apply', configMap())
        expect.same(none.body.data, undefined)
      },
    },
    {
      name: 'a field that is no longer applied is removed, and others are kept',
      source: doc,
      async run({ post, patch, expect }) {
        await post('configmaps?fieldManager=writer', configMap({ w: '1' }))
        await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: '1', y: '1' }))
        const { body } = await patch('configmaps/a?fieldManager=m', 'apply', configMap({ y: '1' }))
        expect.same(body.data, { w: '1', y: '1' })
      },
    },
    {
      name: 'an apply without the labels of the previous one keeps the rest of the metadata',
      source: doc,
      async run({ patch, expect }) {
        await patch('configmaps/a?fieldManager=m', 'apply', configMap(undefined, { labels: { l: '1' } }))
        const answer = await patch('configmaps/a?fieldManager=m', 'apply', configMap())
        expect.answer(answer, 200, { metadata: { name: 'a' } })
        expect.same(answer.body.metadata.labels, undefined)
      },
    },
    {
      name: 'an apply without changes writes nothing',
      source: doc,
      async run({ patch, expect }) {
        const first = await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: '1' }))
        const second = await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: '1' }))
        expect.same(second.body, first.body)
      },
    },
    {
      name: 'elements of lists with keys are merged by their keys',
      source: `${doc}, "Merge strategy"`,
      async run({ patch, expect }) {
        await patch('services/a?fieldManager=m', 'apply', service({ name: 'x', port: 80 }))
        const { body } = await patch('services/a?fieldManager=n', 'apply', service({ name: 'y', port: 81 }))
        const { ports } = body.spec as { ports: { port: number }[] }
        expect.same(
          ports.map(({ port }) => port),
          [80, 81],
        )
      },
    },
    {
      name: 'an element that no manager applies any more is removed',
      source: `${doc}, "Merge strategy"`,
      async run({ patch, expect }) {
        const both = service({ name: 'x', port: 80 }, { name: 'y', port: 81 })
        await patch('services/a?fieldManager=m', 'apply', both)
        const { body } = await patch('services/a?fieldManager=m', 'apply', service({ name: 'y', port: 81 }))
        expect.has(body.spec, { ports: [{ name: 'y', port: 81 }] })
      },
    },
    {
      name: 'an atomic map is owned as a whole',
      source: `${doc}, "Merge strategy"`,
      async run({ post, patch, expect }) {
        const spec = { ports: [{ port: 80 }], selector: { app: 'a' } }
        await post('services?fieldManager=writer', { metadata: { name: 'a' }, spec })
        const wanted = {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'a' },
          spec: { selector: { q: 'r' } },
        }
        const refused = await patch('services/a?fieldManager=m', 'apply', wanted)
        expect.same(
          refused.body.message,
          'Apply failed with 1 conflict: conflict with "writer" using v1: .spec.selector',
        )
        const { body } = await patch('services/a?fieldManager=m&force=true', 'apply', wanted)
        expect.has(body.spec, { selector: { q: 'r' } })
      },
    },
    {
      name: 'values of a set are merged',
      source: `${doc}, "Merge strategy"`,
      async run({ post, patch, expect }) {
        await post('configmaps', configMap(undefined, { finalizers: ['example.com/x'] }))
        const wanted = configMap(undefined, { finalizers: ['example.com/y'] })
        const { body } = await patch('configmaps/a?fieldManager=m', 'apply', wanted)
        expect.same(body.metadata.finalizers, ['example.com/x', 'example.com/y'])
      },
    },
    {
      name: 'two elements with the same keys are rejected',
      source: 'sigs.k8s.io/structured-merge-diff typed/validate.go @ v6.3.3',
      async run({ patch, expect }) {
        const answer = await patch('services/a?fieldManager=m', 'apply', service({ port: 80 }, { port: 80 }))
        const why = '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]'
        expect.refused(answer, {
          code: 500,
          message: `failed to create typed patch object (/a; /v1, Kind=Service): ${why}`,
        })
      },
    },
    {
      name: 'an unknown field is rejected',
      source: 'sigs.k8s.io/structured-merge-diff typed/validate.go @ v6.3.3',
      async run({ patch, expect }) {
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', { ...configMap(), foo: 1 }), {
          code: 500,
          message:
            'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field not declared in schema',
        })
      },
    },
    {
      name: 'a value of the wrong type is rejected',
      source: 'sigs.k8s.io/structured-merge-diff typed/validate.go @ v6.3.3',
      async run({ patch, expect }) {
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', configMap({ x: 1 })), {
          code: 500,
          message:
            'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.x: expected string, got &value.valueUnstructured{Value:1}',
        })
      },
    },
    {
      name: 'another kind than that of the URL is rejected',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/versioncheck.go @ v0.36.3',
      async run({ patch, expect }) {
        const wanted = { ...configMap(), kind: 'Secret' }
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', wanted), {
          code: 400,
          reason: 'BadRequest',
          message: 'invalid object type: /v1, Kind=Secret',
        })
      },
    },
    {
      name: 'managedFields cannot be applied',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/structuredmerge.go @ v0.36.3',
      async run({ patch, expect }) {
        const wanted = configMap(undefined, { managedFields: [] })
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', wanted), {
          code: 400,
          reason: 'BadRequest',
          message: 'metadata.managedFields must be nil',
        })
      },
    },
    {
      name: 'a body that is not an object is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3',
      async run({ patch, expect }) {
        for (const [body, type] of [
          ['[]', 'array'],
          ['true', 'bool'],
        ] as const)
          expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', body), {
            code: 400,
            reason: 'BadRequest',
            message: `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
          })
      },
    },
    {
      name: 'an apply with an old resourceVersion is a conflict',
      source: doc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch(
          'configmaps/a?fieldManager=m',
          'apply',
          configMap({ x: '1' }, { resourceVersion: '1' }),
        )
        expect.answer(answer, 409, { reason: 'Conflict' })
      },
    },
    {
      name: 'an apply with a uid does not create an object',
      source: 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3',
      async run({ patch, expect }) {
        const answer = await patch(
          'configmaps/a?fieldManager=m',
          'apply',
          configMap(undefined, { uid: 'u1' }),
        )
        expect.answer(answer, 409, { reason: 'Conflict' })
      },
    },
    {
      name: 'a dry run applies nothing',
      source: 'Kubernetes documentation, API concepts, "Dry-run"',
      async run({ patch, get, expect }) {
        const answer = await patch('configmaps/a?fieldManager=m&dryRun=All', 'apply', configMap({ x: '1' }))
        expect.answer(answer, 201, { data: { x: '1' } })
        expect.answer(await get('configmaps/a'), 404)
      },
    },
    {
      name: 'the status can be applied only through /status',
      source: doc,
      async run({ patch, expect }) {
        const wanted = {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'a' },
          spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
        }
        const status = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 }
        await patch('poddisruptionbudgets/a?fieldManager=m', 'apply', { ...wanted, status })
        const { spec: _spec, ...bare } = wanted
        const { body } = await patch('poddisruptionbudgets/a/status?fieldManager=s', 'apply', {
          ...bare,
          status,
        })
        expect.has(body.status, status)
        // A controller of the cluster may already have written the budget.
        const managers = (body.metadata.managedFields ?? []) as { manager: string }[]
        const ours = managers.filter(({ manager }) => manager !== 'kube-controller-manager')
        expect.has(ours, [
          { manager: 'm', fieldsV1: { 'f:spec': { 'f:minAvailable': {}, 'f:selector': {} } } },
          { manager: 's', subresource: 'status' },
        ])
      },
    },
    {
      name: 'fields from before the first apply are shared with a manager of their own',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/skipnonapplied.go @ v0.36.3',
      async run({ make, patch, expect }) {
        await make('configmaps', configMap({ x: '1' }))
        await patch('configmaps/a', 'merge', { metadata: { managedFields: [{}] } })
        const { body } = await patch('configmaps/a?fieldManager=m', 'apply', configMap({ y: '1' }))
        expect.has(body.metadata.managedFields, [
          { manager: 'm', operation: 'Apply', fieldsV1: { 'f:data': { 'f:y': {} } } },
          {
            manager: 'before-first-apply',
            operation: 'Update',
            fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
          },
        ])
      },
    },
  ],
}
