import type { CaseGroup } from '../case.js'
import type { StreamedEvent } from '../cluster-under-test.js'

const concepts = 'API concepts, "Efficient detection of changes"'
const bookmarks = 'KEP-956; API concepts, "Watch bookmarks"'
const streaming = 'KEP-3157; API concepts, "Streaming lists"'
const cacher = 'k8s.io/apiserver pkg/storage/cacher/cacher.go @ v0.36.3'

const brief = ({ type, object }: StreamedEvent) => `${type} ${object.metadata.name}`
const asNumber = (version: string | undefined) => BigInt(version ?? 0)

/** Watches. */
export const watch: CaseGroup = {
  name: 'watch',
  cases: [
    {
      name: 'a watch from a resourceVersion reports all later changes in order',
      source: concepts,
      async run({ read, make, patch, delete: remove, watch, expect }) {
        const { metadata } = await read('secrets')
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`)
        await make('secrets', { metadata: { name: 'a' } })
        await patch('secrets/a', 'merge', { metadata: { labels: { x: 'y' } } })
        await remove('secrets/a')
        expect.same((await events.take(3)).map(brief), ['ADDED a', 'MODIFIED a', 'DELETED a'])
      },
    },
    {
      name: 'a watch that starts late reports the changes since its resourceVersion',
      source: concepts,
      async run({ read, make, delete: remove, watch, expect }) {
        const { metadata } = await read('secrets')
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        await remove('secrets/a')
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`)
        expect.same((await events.take(3)).map(brief), ['ADDED a', 'ADDED b', 'DELETED a'])
      },
    },
    {
      name: 'an event contains the whole object, with kind and version',
      source: concepts,
      async run({ read, make, watch, expect }) {
        const { metadata } = await read('configmaps')
        const made = await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const events = await watch(
          `configmaps?resourceVersion=${metadata.resourceVersion}&fieldSelector=metadata.name%3Da`,
        )
        expect.same(await events.next(), { type: 'ADDED', object: made })
      },
    },
    {
      name: 'each event has a higher resourceVersion than the previous one, including deletions',
      source: concepts,
      async run({ make, patch, delete: remove, watch, expect }) {
        const made = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(`secrets?resourceVersion=${made.metadata.resourceVersion}`)
        await patch('secrets/a', 'merge', { data: { k: 'dg==' } })
        await remove('secrets/a')
        const [modified, deleted] = await events.take(2)
        const versions = [made, modified?.object, deleted?.object].map((one) =>
          asNumber(one?.metadata.resourceVersion),
        )
        expect.same(versions, [...new Set(versions)].sort())
      },
    },
    {
      name: 'a watch without a resourceVersion starts with the existing objects',
      source: 'API concepts, "Semantics for watch"',
      async run({ make, watch, expect }) {
        await make('secrets', { metadata: { name: 'b' } })
        await make('secrets', { metadata: { name: 'a' } })
        const events = await watch('secrets')
        const first = await events.take(2)
        expect.same(first.map(brief).sort(), ['ADDED a', 'ADDED b'])
        await make('secrets', { metadata: { name: 'c' } })
        expect.same((await events.take(1)).map(brief), ['ADDED c'])
      },
    },
    {
      name: 'a watch from 0 starts with the existing objects',
      source: 'API concepts, "Semantics for watch"',
      async run({ make, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const waiting = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`)
        await make('secrets', { metadata: { name: 'b' } })
        // When one watch has reported it, the cache that answers 0 contains it.
        await waiting.next()
        const events = await watch('secrets?resourceVersion=0')
        expect.same((await events.take(2)).map(brief).sort(), ['ADDED a', 'ADDED b'])
      },
    },
    {
      name: 'a watch of one object reports only that object',
      source: 'API concepts, "Field selectors"',
      async run({ read, make, watch, expect }) {
        const { metadata } = await read('secrets')
        const events = await watch(
          `secrets?resourceVersion=${metadata.resourceVersion}&fieldSelector=metadata.name%3Db`,
        )
        for (const name of ['a', 'b', 'c']) await make('secrets', { metadata: { name } })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
    {
      name: 'the deprecated path of one object watches it',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/get.go @ v0.36.3, ListResource',
      async run({ read, make, watch, namespace, expect }) {
        const { metadata } = await read('secrets')
        const path = `/api/v1/watch/namespaces/${namespace}/secrets/b`
        const events = await watch(`${path}?resourceVersion=${metadata.resourceVersion}`)
        for (const name of ['a', 'b']) await make('secrets', { metadata: { name } })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
    {
      name: 'an object that starts to match the selection is ADDED',
      source: cacher,
      async run({ make, patch, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(
          `secrets?resourceVersion=${metadata.resourceVersion}&labelSelector=on%3Dyes`,
        )
        await patch('secrets/a', 'merge', { metadata: { labels: { on: 'yes' } } })
        expect.has(await events.next(), { type: 'ADDED', object: { metadata: { labels: { on: 'yes' } } } })
      },
    },
    {
      name: 'an object that no longer matches the selection is DELETED, with its old state and the new version',
      source: cacher,
      async run({ make, patch, watch, expect }) {
        const made = await make('secrets', { metadata: { name: 'a', labels: { on: 'yes' } } })
        const events = await watch(
          `secrets?resourceVersion=${made.metadata.resourceVersion}&labelSelector=on%3Dyes`,
        )
        const changed = await patch('secrets/a', 'merge', { metadata: { labels: { on: 'no' } } })
        expect.has(await events.next(), {
          type: 'DELETED',
          object: {
            metadata: {
              name: 'a',
              labels: { on: 'yes' },
              resourceVersion: changed.body.metadata.resourceVersion,
            },
          },
        })
      },
    },
    {
      name: 'changes outside the selection are not reported',
      source: cacher,
      async run({ make, patch, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(
          `secrets?resourceVersion=${metadata.resourceVersion}&labelSelector=on%3Dyes`,
        )
        await patch('secrets/a', 'merge', { metadata: { labels: { on: 'no' } } })
        await make('secrets', { metadata: { name: 'b', labels: { on: 'yes' } } })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
    {
      name: 'a write without changes is not reported',
      source: 'k8s.io/apiserver pkg/storage/etcd3/store.go @ v0.36.3, GuaranteedUpdate',
      async run({ make, put, watch, expect }) {
        const made = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(`secrets?resourceVersion=${made.metadata.resourceVersion}`)
        expect.answer(await put('secrets/a', made), 200, {
          metadata: { resourceVersion: made.metadata.resourceVersion },
        })
        await make('secrets', { metadata: { name: 'b' } })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
    {
      name: 'an object with finalizers is MODIFIED, and DELETED when they are removed',
      source: 'Kubernetes documentation, Finalizers',
      async run({ make, patch, delete: remove, watch, expect }) {
        const { metadata } = await make('secrets', {
          metadata: { name: 'a', finalizers: ['x.example/hold'] },
        })
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}`)
        await remove('secrets/a')
        await patch('secrets/a', 'merge', { metadata: { finalizers: null } })
        const [marked, gone] = await events.take(2)
        expect.has(marked, { type: 'MODIFIED', object: { metadata: { deletionTimestamp: /Z$/ } } })
        expect.has(gone, {
          type: 'DELETED',
          // The object before the change that removed the last finalizer.
          object: { metadata: { deletionTimestamp: /Z$/, finalizers: ['x.example/hold'] } },
        })
      },
    },
    {
      name: 'a watch ends by itself after timeoutSeconds',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/types.go @ v0.36.3, ListOptions',
      async run({ make, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(`secrets?resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`)
        expect.same(await events.next(), undefined)
      },
    },
    {
      name: 'a watch that ends sends a last bookmark if bookmarks are enabled',
      source: `${bookmarks}; ${cacher}`,
      async run({ make, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(
          `secrets?resourceVersion=${metadata.resourceVersion}&timeoutSeconds=10&allowWatchBookmarks=true`,
        )
        const bookmark = await events.next()
        expect.has(bookmark, {
          type: 'BOOKMARK',
          object: {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { resourceVersion: /^\d+$/, name: undefined },
          },
        })
      },
    },
    {
      name: 'a watch from a future resourceVersion gets neither events nor bookmarks below it',
      source: cacher,
      async run({ make, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const future = asNumber(metadata.resourceVersion) + 1_000_000n
        const events = await watch(
          `secrets?resourceVersion=${future}&timeoutSeconds=4&allowWatchBookmarks=true`,
        )
        await make('secrets', { metadata: { name: 'b' } })
        expect.same(await events.next(), undefined)
      },
    },
    {
      name: 'a watch from a future resourceVersion continues when the cluster has passed it',
      source: cacher,
      async run({ make, watch, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const future = asNumber(metadata.resourceVersion) + 40n
        const events = await watch(`secrets?resourceVersion=${future}`)
        let last = metadata.resourceVersion
        for (let i = 0; asNumber(last) <= future; i++)
          last = (await make('secrets', { metadata: { name: `b-${i}` } })).metadata.resourceVersion
        const first = await events.next()
        expect.ok(
          asNumber(first?.object.metadata.resourceVersion) > future,
          'earlier changes are not reported',
        )
      },
    },
    {
      name: 'sendInitialEvents reports the existing objects, followed by a bookmark',
      source: streaming,
      async run({ make, watch, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        const events = await watch(
          'secrets?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
        )
        const first = await events.take(3)
        expect.same(first.slice(0, 2).map(brief).sort(), ['ADDED a', 'ADDED b'])
        expect.has(first[2], {
          type: 'BOOKMARK',
          object: {
            kind: 'Secret',
            metadata: { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion: /^\d+$/ },
          },
        })
      },
    },
    {
      name: 'sendInitialEvents without objects sends only the bookmark',
      source: streaming,
      async run({ watch, expect }) {
        const events = await watch(
          'deployments?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
        )
        expect.has(await events.next(), {
          type: 'BOOKMARK',
          object: { kind: 'Deployment', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
        })
      },
    },
    {
      name: 'sendInitialEvents needs resourceVersionMatch',
      source: 'k8s.io/apimachinery pkg/apis/meta/internalversion/validation/validation.go @ v0.36.3',
      async run({ get, expect }) {
        expect.invalid(await get('secrets?watch=true&sendInitialEvents=true&allowWatchBookmarks=true'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
          ],
        })
      },
    },
    {
      name: 'sendInitialEvents without bookmarks reports the existing objects and continues',
      source: streaming,
      async run({ make, watch, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        const events = await watch('secrets?sendInitialEvents=true&resourceVersionMatch=NotOlderThan')
        expect.same((await events.take(1)).map(brief), ['ADDED a'])
        await make('secrets', { metadata: { name: 'b' } })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
    {
      name: 'resourceVersionMatch needs sendInitialEvents in a watch',
      source: 'k8s.io/apimachinery pkg/apis/meta/internalversion/validation/validation.go @ v0.36.3',
      async run({ get, expect }) {
        expect.invalid(await get('secrets?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ],
        })
      },
    },
    {
      name: 'a watch from an invalid resourceVersion is rejected',
      source: 'k8s.io/apiserver pkg/storage/api_object_versioner.go @ v0.36.3',
      async run({ get, expect }) {
        expect.refused(await get('secrets?watch=true&resourceVersion=abc'), {
          code: 500,
          message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
        })
      },
    },
    {
      name: 'a watch is chunked JSON',
      source: concepts,
      async run({ get, make, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const answer = await get(
          `secrets?watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`,
        )
        expect.answer(answer, 200)
        expect.has(answer.headers, { 'content-type': 'application/json' })
        expect.same(answer.text, '')
      },
    },
    {
      name: 'a watch of all namespaces reports each',
      source: concepts,
      async run({ make, watch, namespace, expect }) {
        const label = `labelSelector=case%3D${namespace}`
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const events = await watch(`/api/v1/secrets?resourceVersion=${metadata.resourceVersion}&${label}`)
        await make('secrets', { metadata: { name: 'b', labels: { case: namespace } } })
        expect.has(await events.next(), { type: 'ADDED', object: { metadata: { name: 'b', namespace } } })
      },
    },
    {
      name: 'a watch of a missing namespace stays open',
      source: concepts,
      async run({ watch, namespace, make, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const later = `${namespace}-later`
        const events = await watch(
          `/api/v1/namespaces/${later}/secrets?resourceVersion=${metadata.resourceVersion}`,
        )
        await make('namespaces', { metadata: { name: later } })
        await make(`/api/v1/namespaces/${later}/secrets`, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'b' },
        })
        expect.same((await events.take(1)).map(brief), ['ADDED b'])
      },
    },
  ],
}
