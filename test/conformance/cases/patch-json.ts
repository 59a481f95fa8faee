import type { CaseGroup } from '../case.js'

const rfc = 'RFC 6902'
const handler = 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3'

/** JSON patches. */
export const patchJson: CaseGroup = {
  name: 'patch-json',
  cases: [
    {
      name: 'add, replace and remove are executed in order',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v', l: 'w' } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'add', path: '/data/m', value: 'x' },
          { op: 'replace', path: '/data/m', value: 'y' },
          { op: 'remove', path: '/data/k' },
        ])
        expect.answer(answer, 200)
        expect.same(answer.body.data, { l: 'w', m: 'y' })
      },
    },
    {
      name: 'move and copy are executed',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'copy', from: '/data/k', path: '/data/l' },
          { op: 'move', from: '/data/k', path: '/data/m' },
        ])
        expect.answer(answer, 200)
        expect.same(answer.body.data, { l: 'v', m: 'v' })
      },
    },
    {
      name: 'a slash in a key is written as ~1 and a tilde as ~0',
      source: 'RFC 6901',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a', annotations: { 'x.example/y': 'z' } } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'replace', path: '/metadata/annotations/x.example~1y', value: 'changed' },
        ])
        expect.answer(answer, 200, { metadata: { annotations: { 'x.example/y': 'changed' } } })
      },
    },
    {
      name: 'a successful test lets the patch continue',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'test', path: '/data/k', value: 'v' },
          { op: 'replace', path: '/data/k', value: 'w' },
        ])
        expect.answer(answer, 200, { data: { k: 'w' } })
      },
    },
    {
      name: 'a failed test rejects the whole patch',
      source: handler,
      async run({ make, patch, read, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'replace', path: '/data/k', value: 'w' },
          { op: 'test', path: '/data/k', value: 'v' },
        ])
        expect.refused(answer, {
          code: 422,
          reason: 'Invalid',
          message: 'the server rejected our request due to an error in our request',
          details: {},
        })
        expect.has(await read('configmaps/a'), { data: { k: 'v' } })
      },
    },
    {
      name: 'a whole document can be neither added nor removed',
      source: 'github.com/evanphx/json-patch v4, patch.go',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        for (const step of [{ op: 'add', value: {} }, { op: 'remove' }, { op: 'move', from: '/data' }]) {
          const answer = await patch('configmaps/a', 'json', [{ path: '', ...step }])
          expect.answer(answer, 422, { reason: 'Invalid', details: {} })
        }
      },
    },
    {
      name: 'removing a missing member is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'json', [{ op: 'remove', path: '/data/missing' }])
        expect.refused(answer, {
          code: 422,
          reason: 'Invalid',
          message: 'the server rejected our request due to an error in our request',
          details: {},
        })
      },
    },
    {
      name: 'adding below a missing member is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'json', [{ op: 'add', path: '/data/k', value: 'v' }])
        expect.answer(answer, 422, { reason: 'Invalid' })
      },
    },
    {
      name: 'an element can be added at an index and at the end',
      source: rfc,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/b'] } })
        const answer = await patch('secrets/a', 'json', [
          { op: 'add', path: '/metadata/finalizers/0', value: 'x.example/a' },
          { op: 'add', path: '/metadata/finalizers/-', value: 'x.example/c' },
        ])
        expect.answer(answer, 200)
        expect.same(answer.body.metadata.finalizers, ['x.example/a', 'x.example/b', 'x.example/c'])
      },
    },
    {
      name: 'a patch that is not an array is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await patch('configmaps/a', 'json', { data: { k: 'v' } }), 400, {
          reason: 'BadRequest',
        })
      },
    },
    {
      name: 'an unknown operation is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'json', [{ op: 'turn', path: '/data' }])
        expect.answer(answer, 422, { reason: 'Invalid' })
      },
    },
    {
      name: 'a patch that changes the name is rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'json', [
          { op: 'replace', path: '/metadata/name', value: 'b' },
        ])
        expect.answer(answer, 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a patch of a missing object is a 404',
      source: handler,
      async run({ patch, expect }) {
        expect.notFound(await patch('configmaps/a', 'json', []), 'configmaps', 'a')
      },
    },
    {
      name: 'an empty patch changes nothing',
      source: rfc,
      async run({ make, patch, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a', 'json', [])
        expect.answer(answer, 200, { metadata: { resourceVersion: made.metadata.resourceVersion } })
      },
    },
    {
      name: 'a test of the resourceVersion is a precondition',
      source: rfc,
      async run({ make, patch, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const operations = [
          { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
          { op: 'add', path: '/data', value: { k: 'v' } },
        ]
        expect.answer(await patch('configmaps/a', 'json', operations), 200)
        expect.answer(await patch('configmaps/a', 'json', operations), 422)
      },
    },
    {
      name: 'more than 10,000 operations are rejected',
      source: handler,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const operations = Array.from({ length: 10_001 }, () => ({
          op: 'test',
          path: '/kind',
          value: 'ConfigMap',
        }))
        expect.refused(await patch('configmaps/a', 'json', operations), {
          code: 413,
          reason: 'RequestEntityTooLarge',
          message:
            'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
        })
      },
    },
  ],
}
