import type { CaseGroup } from '../case.js'

const kep = 'KEP-576; API concepts, "Dry-run"'

/** Everything but the write. */
export const dryRun: CaseGroup = {
  name: 'dry-run',
  cases: [
    {
      name: 'a create returns the object and does not create it',
      source: kep,
      async run({ post, get, expect }) {
        const answer = await post('configmaps?dryRun=All', { metadata: { name: 'a' }, data: { k: 'v' } })
        expect.answer(answer, 201, {
          data: { k: 'v' },
          metadata: { uid: /.{36}/, creationTimestamp: /Z$/, resourceVersion: undefined },
        })
        expect.notFound(await get('configmaps/a'), 'configmaps', 'a')
      },
    },
    {
      name: 'a create is validated',
      source: kep,
      async run({ post, expect }) {
        expect.answer(await post('configmaps?dryRun=All', { metadata: { name: 'Not' } }), 422, {
          reason: 'Invalid',
        })
      },
    },
    {
      name: 'a create of an existing object is a conflict',
      source: kep,
      async run({ make, post, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await post('configmaps?dryRun=All', { metadata: { name: 'a' } })
        expect.answer(answer, 409, { reason: 'AlreadyExists', message: 'configmaps "a" already exists' })
      },
    },
    {
      name: 'a create sets defaults',
      source: kep,
      async run({ post, expect }) {
        expect.answer(await post('secrets?dryRun=All', { metadata: { name: 'a' } }), 201, { type: 'Opaque' })
      },
    },
    {
      name: 'an update returns the object and does not write it',
      source: kep,
      async run({ make, put, read, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await put('configmaps/a?dryRun=All', { ...made, data: { k: 'v' } })
        expect.answer(answer, 200, {
          data: { k: 'v' },
          metadata: { resourceVersion: made.metadata.resourceVersion },
        })
        expect.same(await read('configmaps/a'), made)
      },
    },
    {
      name: 'an update checks the resourceVersion',
      source: kep,
      async run({ make, patch, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        await patch('configmaps/a', 'merge', { data: { k: 'v' } })
        expect.answer(await put('configmaps/a?dryRun=All', made), 409, { reason: 'Conflict' })
      },
    },
    {
      name: 'a patch returns the object and does not write it',
      source: kep,
      async run({ make, patch, read, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await patch('configmaps/a?dryRun=All', 'merge', { data: { k: 'v' } })
        expect.answer(answer, 200, { data: { k: 'v' } })
        expect.same(await read('configmaps/a'), made)
      },
    },
    {
      name: 'a deletion deletes nothing',
      source: kep,
      async run({ make, delete: remove, read, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await remove('configmaps/a?dryRun=All'), 200, { kind: 'Status', status: 'Success' })
        expect.same(await read('configmaps/a'), made)
      },
    },
    {
      name: 'the options of a delete can request a dry run',
      source: kep,
      async run({ make, delete: remove, read, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await remove('configmaps/a', { dryRun: ['All'] }), 200)
        await read('configmaps/a')
      },
    },
    {
      name: 'any value except All is rejected',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3, ValidateDryRun',
      async run({ post, expect }) {
        expect.invalid(await post('configmaps?dryRun=Some', { metadata: { name: 'a' } }), {
          kind: 'CreateOptions',
          group: 'meta.k8s.io',
          name: '',
          because: ['dryRun: Unsupported value: ["Some"]: supported values: "All"'],
        })
      },
    },
    {
      name: 'any value except All is rejected for a patch and a delete',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3, ValidateDryRun',
      async run({ make, patch, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const because = ['dryRun: Unsupported value: ["Some"]: supported values: "All"']
        const invalid = (kind: string) => ({ kind, group: 'meta.k8s.io', name: '', because })
        expect.invalid(await patch('configmaps/a?dryRun=Some', 'merge', {}), invalid('PatchOptions'))
        expect.invalid(await remove('configmaps/a?dryRun=Some'), invalid('DeleteOptions'))
      },
    },
    {
      name: 'watches do not report a dry run',
      source: kep,
      async run({ make, post, patch, watch, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const events = await watch(`configmaps?resourceVersion=${metadata.resourceVersion}`)
        await post('configmaps?dryRun=All', { metadata: { name: 'b' } })
        await patch('configmaps/a?dryRun=All', 'merge', { data: { k: 'v' } })
        await make('configmaps', { metadata: { name: 'c' } })
        expect.has(await events.next(), { type: 'ADDED', object: { metadata: { name: 'c' } } })
      },
    },
    {
      name: 'a Service in a dry run gets no address',
      source: 'k8s.io/kubernetes pkg/registry/core/service/storage/alloc.go @ v1.36.3',
      async run({ post, expect }) {
        const answer = await post('services?dryRun=All', {
          metadata: { name: 'a' },
          spec: { ports: [{ port: 80 }] },
        })
        expect.answer(answer, 201, { spec: { clusterIP: /^\d+\.\d+\.\d+\.\d+$/ } })
      },
    },
  ],
}
