import type { CaseGroup } from '../case.js'

const doc = 'Kubernetes documentation, API concepts, "Setting the field validation level"; KEP-2885'
const twice =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"},"foo":1}'
const strange = {
  metadata: { name: 'a' },
  spec: { ports: [{ port: 80 }, { port: 81, name: 'b', prt: 1 }], foo: 1 },
}
const strictly = (kind: string, problems: string) =>
  `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: ${problems}`

/** The handling of unknown and duplicate fields. */
export const fieldReports: CaseGroup = {
  name: 'field-reports',
  cases: [
    {
      name: 'by default the server warns of unknown and duplicate fields, in their order',
      source: doc,
      async run({ post, expect }) {
        const { status, headers, body } = await post('configmaps', twice)
        expect.same(
          [status, headers.warning, body.data],
          [201, '299 - "duplicate field \\"data.x\\"", 299 - "unknown field \\"foo\\""', { x: '2' }],
        )
      },
    },
    {
      name: 'Ignore does not report them',
      source: doc,
      async run({ post, expect }) {
        const { status, headers } = await post('configmaps?fieldValidation=Ignore', twice)
        expect.same([status, headers.warning], [201, undefined])
      },
    },
    {
      name: 'Strict rejects them',
      source: doc,
      async run({ post, get, expect }) {
        expect.refused(await post('configmaps?fieldValidation=Strict', twice), {
          code: 400,
          reason: 'BadRequest',
          message: strictly('ConfigMap', 'duplicate field "data.x", unknown field "foo"'),
        })
        expect.answer(await get('configmaps/a'), 404)
      },
    },
    {
      name: 'a field in an element of a list is reported with its index',
      source: doc,
      async run({ post, expect }) {
        expect.refused(await post('services?fieldValidation=Strict', strange), {
          code: 400,
          reason: 'BadRequest',
          message: strictly('Service', 'unknown field "spec.ports[1].prt", unknown field "spec.foo"'),
        })
      },
    },
    {
      name: 'an update is checked like a create',
      source: doc,
      async run({ make, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const warned = await put('configmaps/a', twice)
        expect.same(warned.headers.warning?.includes('duplicate field'), true)
        expect.answer(await put('configmaps/a?fieldValidation=Strict', twice), 400)
      },
    },
    {
      name: 'a merge patch is checked together with its result',
      source: doc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const text = '{"data":{"y":"1","y":"2"},"foo":1}'
        const { headers } = await patch('configmaps/a', 'merge', text)
        expect.same(headers.warning, '299 - "duplicate field \\"data.y\\"", 299 - "unknown field \\"foo\\""')
        expect.answer(await patch('configmaps/a?fieldValidation=Strict', 'merge', text), 422)
      },
    },
    {
      name: 'the error of a strict strategic merge patch contains the patch',
      source: doc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a?fieldValidation=Strict', 'strategic', { foo: 1 })
        const message = 'Invalid value: "map[foo:1]": strict decoding error: unknown field "foo"'
        expect.refused(answer, {
          code: 422,
          reason: 'Invalid',
          message: ` "" is invalid: patch: ${message}`,
          details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
        })
      },
    },
    {
      name: 'a strict apply must not have duplicate keys',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3',
      async run({ patch, expect }) {
        const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"m":"1","m":"2"}}'
        expect.refused(await patch('configmaps/a?fieldManager=m&fieldValidation=Strict', 'apply', text), {
          code: 400,
          reason: 'BadRequest',
          message:
            'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "m" already set in map',
        })
        const { headers } = await patch('configmaps/a?fieldManager=m', 'apply', text)
        expect.same(headers.warning, '299 - "line 1: key \\"m\\" already set in map"')
      },
    },
    {
      name: 'an unknown level is rejected',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ post, expect }) {
        expect.invalid(await post('configmaps?fieldValidation=Other', { metadata: { name: 'a' } }), {
          kind: 'CreateOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'fieldValidation: Unsupported value: "Other": supported values: "", "Ignore", "Strict", "Warn"',
          ],
        })
      },
    },
  ],
}
