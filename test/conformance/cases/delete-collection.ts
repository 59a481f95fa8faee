import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const collection = 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3, DeleteCollection'

async function makeThree({ make }: CaseClient): Promise<void> {
  for (const name of ['a', 'b', 'c'])
    await make('configmaps', { metadata: { name, labels: { name, all: 'yes' } } })
}

async function namesLeft({ read }: CaseClient): Promise<unknown[]> {
  const { items = [] } = await read('configmaps?labelSelector=all%3Dyes')
  return items.map(({ metadata }) => metadata.name)
}

/** Deleting many objects at once. */
export const deleteCollection: CaseGroup = {
  name: 'delete-collection',
  cases: [
    {
      name: 'objects that match the label selector are deleted, and others are kept',
      source: collection,
      async run(client) {
        await makeThree(client)
        const answer = await client.delete('configmaps?labelSelector=name%20in%20(a,b)')
        client.expect.answer(answer, 200)
        client.expect.same(await namesLeft(client), ['c'])
      },
    },
    {
      name: 'the response is the list of the deleted objects',
      source: collection,
      async run(client) {
        await makeThree(client)
        const answer = await client.delete('configmaps?labelSelector=all%3Dyes')
        client.expect.answer(answer, 200, {
          kind: 'ConfigMapList',
          items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }],
        })
      },
    },
    {
      name: 'a field selector selects the objects, too',
      source: collection,
      async run(client) {
        await makeThree(client)
        await client.delete('configmaps?fieldSelector=metadata.name%3Db')
        client.expect.same(await namesLeft(client), ['a', 'c'])
      },
    },
    {
      name: 'without matching objects the response is an empty list',
      source: collection,
      async run(client) {
        await makeThree(client)
        const answer = await client.delete('configmaps?labelSelector=name%3Dnone')
        client.expect.answer(answer, 200, { kind: 'ConfigMapList', items: [] })
        client.expect.same(await namesLeft(client), ['a', 'b', 'c'])
      },
    },
    {
      name: 'finalizers keep objects here, too',
      source: collection,
      async run({ make, read, delete: remove, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/hold'] } })
        expect.answer(await remove('secrets'), 200)
        expect.has(await read('secrets/a'), { metadata: { deletionTimestamp: /Z$/ } })
      },
    },
    {
      name: 'a dry run deletes nothing',
      source: collection,
      async run(client) {
        await makeThree(client)
        client.expect.answer(await client.delete('configmaps?dryRun=All'), 200)
        client.expect.same(await namesLeft(client), ['a', 'b', 'c'])
      },
    },
    {
      name: 'each deletion is a separate event',
      source: collection,
      async run(client) {
        await makeThree(client)
        const { metadata } = await client.read('configmaps')
        const events = await client.watch(`configmaps?resourceVersion=${metadata.resourceVersion}`)
        await client.delete('configmaps?labelSelector=all%3Dyes')
        const heard = (await events.take(3)).map(({ type, object }) => `${type} ${object.metadata.name}`)
        client.expect.same(heard.sort(), ['DELETED a', 'DELETED b', 'DELETED c'])
      },
    },
    {
      name: 'Services can be deleted as a collection',
      source: 'k8s.io/kubernetes pkg/registry/core/service/storage/storage.go @ v1.36.3',
      async run({ make, read, delete: remove, expect }) {
        await make('services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
        expect.answer(await remove('services'), 200)
        expect.has(await read('services'), { items: [] })
      },
    },
  ],
}
