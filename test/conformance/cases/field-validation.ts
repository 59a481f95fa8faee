import type { CaseGroup } from '../case.js'

const kep = 'KEP-2885; API concepts, "Field validation"'
const strict = 'fieldValidation=Strict'
const twice =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"},"data":{"k":"w"}}'

/** Unknown and duplicate fields. */
export const fieldValidation: CaseGroup = {
  name: 'field-validation',
  cases: [
    {
      name: 'an unknown field is dropped with a warning',
      source: kep,
      async run({ post, expect }) {
        const answer = await post('configmaps', { metadata: { name: 'a' }, unknown: 'x' })
        expect.answer(answer, 201, { unknown: undefined })
        expect.same(answer.headers.warning, '299 - "unknown field \\"unknown\\""')
      },
    },
    {
      name: 'an unknown field is dropped silently with Ignore',
      source: kep,
      async run({ post, expect }) {
        const answer = await post('configmaps?fieldValidation=Ignore', {
          metadata: { name: 'a' },
          unknown: 'x',
        })
        expect.answer(answer, 201, { unknown: undefined })
        expect.same(answer.headers.warning, undefined)
      },
    },
    {
      name: 'an unknown field is rejected with Strict',
      source: kep,
      async run({ post, expect }) {
        expect.refused(await post(`configmaps?${strict}`, { metadata: { name: 'a' }, unknown: 'x' }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "unknown"',
        })
      },
    },
    {
      name: 'nested unknown fields are reported with their paths',
      source: kep,
      async run({ post, expect }) {
        const spec = { containers: [{ name: 'c', image: 'i', unknown: 'x' }], other: 1 }
        expect.refused(await post(`pods?${strict}`, { metadata: { name: 'a' }, spec }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].unknown", unknown field "spec.other"',
        })
      },
    },
    {
      name: 'the last value of a duplicate field counts, with a warning',
      source: kep,
      async run({ post, expect }) {
        const answer = await post('configmaps', twice)
        expect.answer(answer, 201, { data: { k: 'w' } })
        expect.same(answer.headers.warning, '299 - "duplicate field \\"data\\""')
      },
    },
    {
      name: 'a duplicate field is rejected with Strict',
      source: kep,
      async run({ post, expect }) {
        expect.refused(await post(`configmaps?${strict}`, twice), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data"',
        })
      },
    },
    {
      name: 'an update is checked in the same way',
      source: kep,
      async run({ make, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await put(`configmaps/a?${strict}`, { ...made, unknown: 'x' }), 400, {
          message: /strict decoding error: unknown field "unknown"$/,
        })
      },
    },
    {
      name: 'a merge patch is checked in the same way',
      source: kep,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch(`configmaps/a?${strict}`, 'merge', { unknown: 'x' })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          message: /strict decoding error: unknown field "unknown"$/,
        })
      },
    },
    {
      name: 'a strategic merge patch is checked in the same way',
      source: kep,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch(`configmaps/a?${strict}`, 'strategic', { unknown: 'x' })
        expect.answer(answer, 422, { reason: 'Invalid', message: /unknown field "unknown"/ })
      },
    },
    {
      name: 'an unknown level of validation is rejected',
      source:
        'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3, ValidateFieldValidation',
      async run({ post, expect }) {
        expect.invalid(await post('configmaps?fieldValidation=Some', { metadata: { name: 'a' } }), {
          kind: 'CreateOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'fieldValidation: Unsupported value: "Some": supported values: "", "Ignore", "Strict", "Warn"',
          ],
        })
      },
    },
    {
      name: 'a name that differs in case is an unknown field',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ post, expect }) {
        const answer = await post('configmaps', { metadata: { name: 'a' }, Data: { k: 'v' } })
        expect.answer(answer, 201, { data: undefined, Data: undefined })
      },
    },
  ],
}
