import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const directives =
  'github.com/kubernetes/community contributors/devel/sig-api-machinery/strategic-merge-patch.md'
const types = 'k8s.io/api core/v1/types.go @ v0.36.3, patchStrategy and patchMergeKey'

const template = (containers: readonly object[]) => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers },
})

/** A PodTemplate, which has a pod's fields and no controller. */
const makeTemplate = ({ make }: CaseClient) =>
  make('podtemplates', {
    metadata: { name: 'a' },
    template: template([
      { name: 'one', image: 'x:1', env: [{ name: 'E', value: '1' }], args: ['a', 'b'] },
      { name: 'two', image: 'y:1' },
    ]),
  })

/** Strategic merge patches. */
export const patchStrategic: CaseGroup = {
  name: 'patch-strategic',
  cases: [
    {
      name: 'containers are merged by name',
      source: types,
      async run(client) {
        await makeTemplate(client)
        const body = { template: { spec: { containers: [{ name: 'two', image: 'y:2' }] } } }
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', body), 200, {
          template: {
            spec: {
              containers: [
                { name: 'one', image: 'x:1' },
                { name: 'two', image: 'y:2' },
              ],
            },
          },
        })
      },
    },
    {
      name: 'a new container is added in front',
      source: types,
      async run(client) {
        await makeTemplate(client)
        const body = { template: { spec: { containers: [{ name: 'three', image: 'z:1' }] } } }
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', body), 200, {
          template: { spec: { containers: [{ name: 'three' }, { name: 'one' }, { name: 'two' }] } },
        })
      },
    },
    {
      name: 'an element is deleted by its key',
      source: directives,
      async run(client) {
        await makeTemplate(client)
        const body = { template: { spec: { containers: [{ name: 'one', $patch: 'delete' }] } } }
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', body), 200, {
          template: { spec: { containers: [{ name: 'two' }] } },
        })
      },
    },
    {
      name: 'a list is replaced by the directive',
      source: directives,
      async run(client) {
        await makeTemplate(client)
        const containers = [{ name: 'three', image: 'z:1' }, { $patch: 'replace' }]
        const answer = await client.patch('podtemplates/a', 'strategic', {
          template: { spec: { containers } },
        })
        client.expect.answer(answer, 200, { template: { spec: { containers: [{ name: 'three' }] } } })
      },
    },
    {
      name: 'a directive sets the order of elements',
      source: directives,
      async run(client) {
        await makeTemplate(client)
        const spec = { '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }] }
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', { template: { spec } }), 200, {
          template: { spec: { containers: [{ name: 'two' }, { name: 'one' }] } },
        })
      },
    },
    {
      name: 'nested lists are merged, too',
      source: types,
      async run(client) {
        await makeTemplate(client)
        const containers = [{ name: 'one', env: [{ name: 'F', value: '2' }] }]
        const answer = await client.patch('podtemplates/a', 'strategic', {
          template: { spec: { containers } },
        })
        client.expect.answer(answer, 200, {
          template: {
            spec: {
              containers: [
                {
                  name: 'one',
                  env: [
                    { name: 'F', value: '2' },
                    { name: 'E', value: '1' },
                  ],
                },
                { name: 'two' },
              ],
            },
          },
        })
      },
    },
    {
      name: 'a list without a merge key is replaced',
      source: types,
      async run(client) {
        await makeTemplate(client)
        const body = { template: { spec: { containers: [{ name: 'one', args: ['c'] }] } } }
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', body), 200, {
          template: { spec: { containers: [{ name: 'one', args: ['c'] }, { name: 'two' }] } },
        })
      },
    },
    {
      name: 'null removes a member',
      source: directives,
      async run(client) {
        await makeTemplate(client)
        const answer = await client.patch('podtemplates/a', 'strategic', {
          template: { metadata: { labels: { app: null, x: 'y' } } },
        })
        client.expect.answer(answer, 200, { template: { metadata: { labels: { app: undefined, x: 'y' } } } })
      },
    },
    {
      name: 'a map is replaced by the directive',
      source: directives,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'strategic', { data: { $patch: 'replace', l: 'w' } })
        expect.answer(answer, 200)
        expect.same(answer.body.data, { l: 'w' })
      },
    },
    {
      name: 'finalizers are merged as a set',
      source: types,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/a'] } })
        const answer = await patch('secrets/a', 'strategic', { metadata: { finalizers: ['x.example/b'] } })
        expect.answer(answer, 200)
        expect.same([...(answer.body.metadata.finalizers ?? [])].sort(), ['x.example/a', 'x.example/b'])
      },
    },
    {
      name: 'an element of a set is deleted by its value',
      source: directives,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/a', 'x.example/b'] } })
        const answer = await patch('secrets/a', 'strategic', {
          metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example/a'] },
        })
        expect.answer(answer, 200)
        expect.same(answer.body.metadata.finalizers, ['x.example/b'])
      },
    },
    {
      name: 'owner references are merged by uid',
      source: types,
      async run({ make, patch, expect }) {
        const owner = async (name: string) => {
          const { metadata } = await make('configmaps', { metadata: { name } })
          return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid }
        }
        const [one, two] = [await owner('one'), await owner('two')]
        await make('secrets', { metadata: { name: 'a', ownerReferences: [one, two] } })
        const answer = await patch('secrets/a', 'strategic', {
          metadata: { ownerReferences: [{ uid: one.uid, $patch: 'delete' }] },
        })
        expect.answer(answer, 200, { metadata: { ownerReferences: [two] } })
      },
    },
    {
      name: 'ports of a Service are merged by port',
      source: types,
      async run({ make, patch, expect }) {
        await make('services', {
          metadata: { name: 'a' },
          spec: { selector: { x: 'y' }, ports: [{ name: 'one', port: 80 }] },
        })
        const answer = await patch('services/a', 'strategic', {
          spec: { ports: [{ name: 'two', port: 81 }] },
        })
        expect.answer(answer, 200, { spec: { ports: [{ port: 81 }, { port: 80 }] } })
      },
    },
    {
      name: 'an element without its merge key is rejected',
      source: directives,
      async run(client) {
        await makeTemplate(client)
        const body = { template: { spec: { containers: [{ image: 'z:1' }] } } }
        client.expect.refused(await client.patch('podtemplates/a', 'strategic', body), {
          code: 500,
          message: 'map: map[image:z:1] does not contain declared merge key: name',
        })
      },
    },
    {
      name: 'an unknown directive is rejected',
      source: directives,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        expect.refused(await patch('configmaps/a', 'strategic', { data: { $patch: 'turn' } }), {
          code: 500,
          message: 'unknown patch type: turn in map: map[$patch:turn]',
        })
      },
    },
  ],
}
