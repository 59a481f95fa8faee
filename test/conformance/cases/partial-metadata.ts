import type { CaseGroup } from '../case.js'

const kep = 'KEP-2334; k8s.io/apimachinery pkg/apis/meta/v1/types.go @ v0.36.3, PartialObjectMetadata'
const one = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
const many = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }

/** Responses with metadata only. */
export const partialMetadata: CaseGroup = {
  name: 'partial-metadata',
  cases: [
    {
      name: 'an object is returned as its metadata',
      source: kep,
      async run({ make, get, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await get('configmaps/a', { headers: one })
        expect.answer(answer, 200)
        expect.same(answer.body, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata })
      },
    },
    {
      name: 'a list is a list of metadata',
      source: kep,
      async run({ make, get, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        expect.answer(await get('secrets', { headers: many }), 200, {
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { resourceVersion: /^\d+$/ },
          items: [{ metadata: { name: 'a' }, type: undefined }],
        })
      },
    },
    {
      name: 'a watch sends metadata',
      source: kep,
      async run({ read, make, watch, expect }) {
        const { metadata } = await read('secrets')
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`, { headers: one })
        await make('secrets', { metadata: { name: 'a' } })
        expect.has(await events.next(), {
          type: 'ADDED',
          object: {
            kind: 'PartialObjectMetadata',
            apiVersion: 'meta.k8s.io/v1',
            metadata: { name: 'a' },
            type: undefined,
          },
        })
      },
    },
    {
      name: 'a patch can return metadata',
      source: kep,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch(
          'configmaps/a',
          'merge',
          { metadata: { labels: { x: 'y' } } },
          { headers: one },
        )
        expect.answer(answer, 200, {
          kind: 'PartialObjectMetadata',
          data: undefined,
          metadata: { labels: { x: 'y' } },
        })
      },
    },
    {
      name: 'a bookmark has metadata, too',
      source: kep,
      async run({ watch, expect }) {
        const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
        const events = await watch(`leases?${query}`, { headers: one })
        expect.has(await events.next(), {
          type: 'BOOKMARK',
          object: {
            kind: 'PartialObjectMetadata',
            metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
          },
        })
      },
    },
    {
      name: 'one object cannot be returned as a list of metadata',
      source: kep,
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await get('configmaps/a', { headers: many }), 406, { reason: 'NotAcceptable' })
      },
    },
  ],
}
