import type { CaseGroup } from '../case.js'
import type { Scene } from '../scene.js'

const collection = 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3, DeleteCollection'

async function makeThree({ make }: Scene): Promise<void> {
  for (const name of ['a', 'b', 'c'])
    await make('configmaps', { metadata: { name, labels: { name, all: 'yes' } } })
}

async function namesLeft({ read }: Scene): Promise<unknown[]> {
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
      async run(scene) {
        await makeThree(scene)
        const answer = await scene.delete('configmaps?labelSelector=name%20in%20(a,b)')
        scene.expect.answer(answer, 200)
        scene.expect.same(await namesLeft(scene), ['c'])
      },
    },
    {
      name: 'the response is the list of the deleted objects',
      source: collection,
      async run(scene) {
        await makeThree(scene)
        const answer = await scene.delete('configmaps?labelSelector=all%3Dyes')
        scene.expect.answer(answer, 200, {
          kind: 'ConfigMapList',
          items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }],
        })
      },
    },
    {
      name: 'a field selector selects the objects, too',
      source: collection,
      async run(scene) {
        await makeThree(scene)
        await scene.delete('configmaps?fieldSelector=metadata.name%3Db')
        scene.expect.same(await namesLeft(scene), ['a', 'c'])
      },
    },
    {
      name: 'without matching objects the response is an empty list',
      source: collection,
      async run(scene) {
        await makeThree(scene)
        const answer = await scene.delete('configmaps?labelSelector=name%3Dnone')
        scene.expect.answer(answer, 200, { kind: 'ConfigMapList', items: [] })
        scene.expect.same(await namesLeft(scene), ['a', 'b', 'c'])
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
      async run(scene) {
        await makeThree(scene)
        scene.expect.answer(await scene.delete('configmaps?dryRun=All'), 200)
        scene.expect.same(await namesLeft(scene), ['a', 'b', 'c'])
      },
    },
    {
      name: 'each deletion is a separate event',
      source: collection,
      async run(scene) {
        await makeThree(scene)
        const { metadata } = await scene.read('configmaps')
        const events = await scene.watch(`configmaps?resourceVersion=${metadata.resourceVersion}`)
        await scene.delete('configmaps?labelSelector=all%3Dyes')
        const heard = (await events.take(3)).map(({ type, object }) => `${type} ${object.metadata.name}`)
        scene.expect.same(heard.sort(), ['DELETED a', 'DELETED b', 'DELETED c'])
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
