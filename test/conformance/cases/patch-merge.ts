import type { CaseGroup } from '../case.js'

const rfc = 'RFC 7386'
const handler = 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3'

/** Merge patches. */
export const patchMerge: CaseGroup = {
  name: 'patch-merge',
  cases: [
    {
      name: 'members are merged at every depth and null removes',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a', labels: { x: '1', y: '2' } }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'merge', {
          metadata: { labels: { x: null, z: '3' } },
          data: { l: 'w' },
        })
        expect.answer(answer, 200)
        expect.same(answer.body.metadata.labels, { y: '2', z: '3' })
        expect.same(answer.body.data, { k: 'v', l: 'w' })
      },
    },
    {
      name: 'a list is replaced as a whole',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/a', 'x.example/b'] } })
        const answer = await patch('secrets/a', 'merge', { metadata: { finalizers: ['x.example/c'] } })
        expect.same(answer.body.metadata.finalizers, ['x.example/c'])
      },
    },
    {
      name: 'null removes a whole field',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a', labels: { x: '1' } }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'merge', { metadata: { labels: null }, data: null })
        expect.answer(answer, 200, { data: undefined, metadata: { labels: undefined } })
      },
    },
    {
      name: 'removing a missing member changes nothing',
      source: rfc,
      async run({ make, patch, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'merge', { data: { k: null }, metadata: { labels: null } })
        expect.answer(answer, 200, { metadata: { resourceVersion: metadata.resourceVersion } })
      },
    },
    {
      name: 'the resourceVersion in a patch is a precondition',
      source: handler,
      async run({ make, patch, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const { resourceVersion } = metadata
        const change = { metadata: { resourceVersion }, data: { k: 'v' } }
        expect.answer(await patch('configmaps/a', 'merge', change), 200)
        expect.refused(await patch('configmaps/a', 'merge', { ...change, data: { k: 'w' } }), {
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'a patch cannot change the uid',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const uid = '00000000-0000-4000-8000-000000000000'
        const answer = await patch('configmaps/a', 'merge', { metadata: { uid }, data: { k: 'v' } })
        const because = `metadata.uid: Invalid value: "${uid}": field is immutable`
        expect.invalid(answer, { kind: 'ConfigMap', name: 'a', because: [because, because] })
      },
    },
    {
      name: 'a patch of a missing object is a 404',
      source: handler,
      async run({ patch, expect }) {
        expect.notFound(await patch('secrets/a', 'merge', { data: {} }), 'secrets', 'a')
      },
    },
    {
      name: 'a patch of a missing Lease is a 404',
      source: handler,
      async run({ patch, expect }) {
        const answer = await patch('leases/a', 'merge', { spec: { holderIdentity: 'x' } })
        expect.notFound(answer, 'leases.coordination.k8s.io', 'a')
      },
    },
    {
      name: 'a patch that changes the name is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await patch('configmaps/a', 'merge', { metadata: { name: 'b' } }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the name of the object (b) does not match the name on the URL (a)',
        })
      },
    },
    {
      name: 'a patch with an invalid result is a 422',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(
          await patch('configmaps/a', 'merge', { metadata: { labels: { x: 'not valid' } } }),
          422,
          {
            reason: 'Invalid',
          },
        )
      },
    },
    {
      name: 'a value of the wrong type is a 422 with the patched object',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await patch('configmaps/a', 'merge', { data: { k: 1 } }), 422, {
          reason: 'Invalid',
          message:
            /^ "" is invalid: patch: Invalid value: ".*": json: cannot unmarshal number into Go struct field ConfigMap.data of type string$/,
          details: {
            name: undefined,
            kind: undefined,
            causes: [{ reason: 'FieldValueInvalid', field: 'patch' }],
          },
        })
      },
    },
    {
      name: 'a patch that is not JSON is a 400',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await patch('configmaps/a', 'merge', '{"data":'), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a patch without a body is a 400',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await patch('configmaps/a', 'merge', ''), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'an unknown field in a patch is dropped',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'merge', { unknown: 'x', data: { k: 'v' } })
        expect.answer(answer, 200, { unknown: undefined, data: { k: 'v' } })
      },
    },
  ],
}
