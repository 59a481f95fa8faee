import type { CaseGroup } from '../case.js'
import { withConversion } from '../conversion-server.js'

const source = 'Kubernetes documentation, Versions in CustomResourceDefinitions, Webhook conversion'

/** Custom resources in two versions that a webhook converts. */
export const conversionWebhooks: CaseGroup = {
  name: 'conversion-webhooks',
  cases: [
    {
      name: 'an object can be written and read in both versions',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          const made = await scene.post(cars.path('', 'v1beta1'), cars.beta('a', '2x3'))
          scene.expect.answer(made, 201, { apiVersion: `${cars.group}/v1beta1`, spec: { size: '2x3' } })
          const { uid } = made.body.metadata
          scene.expect.has(await scene.read(cars.path('a')), {
            apiVersion: `${cars.group}/v1`,
            metadata: { uid, generation: 1 },
            spec: { width: 2, height: 3, size: undefined },
          })
          const changed = await scene.patch(cars.path('a'), 'merge', { spec: { width: 5, color: 'red' } })
          scene.expect.answer(changed, 200, { metadata: { generation: 2 } })
          const beta = await scene.read(cars.path('a', 'v1beta1'))
          scene.expect.has(beta, { metadata: { annotations: { color: 'red' } }, spec: { size: '5x3' } })
          const replaced = await scene.put(cars.path('a', 'v1beta1'), { ...beta, spec: { size: '5x4' } })
          scene.expect.answer(replaced, 200, { spec: { size: '5x4' } })
          scene.expect.has(await scene.read(cars.path('a')), { spec: { width: 5, height: 4, color: 'red' } })
          const removed = await scene.delete(cars.path('a', 'v1beta1'))
          scene.expect.answer(removed, 200)
          scene.expect.answer(await scene.get(cars.path('a')), 404)
        })
      },
    },
    {
      name: 'objects of two stored versions are in one list, in each version',
      source,
      async run(scene) {
        await withConversion(scene, 'v1beta1', async (cars) => {
          await scene.make(cars.path(''), cars.stable('a', 1, 2))
          await cars.storeAs('v1')
          await scene.make(cars.path(''), cars.stable('b', 3, 4))
          const { items: stable = [] } = await scene.read(cars.path(''))
          const versions = stable.map(({ apiVersion }) => apiVersion)
          scene.expect.same(versions, Array(2).fill(`${cars.group}/v1`))
          scene.expect.same(
            stable.map(({ spec }) => spec),
            [
              { width: 1, height: 2 },
              { width: 3, height: 4 },
            ],
          )
          const { items: beta = [] } = await scene.read(cars.path('', 'v1beta1'))
          scene.expect.same(
            beta.map(({ spec }) => spec),
            [{ size: '1x2' }, { size: '3x4' }],
          )
        })
      },
    },
    {
      name: 'a watch shows the changes in its version',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          const { metadata } = await scene.read(cars.path('', 'v1beta1'))
          const events = await scene.watch(
            `${cars.path('', 'v1beta1')}?resourceVersion=${metadata.resourceVersion}`,
          )
          await scene.make(cars.path(''), cars.stable('a', 1, 2))
          await scene.patch(cars.path('a'), 'merge', { spec: { height: 9 } })
          await scene.delete(cars.path('a'))
          const seen = await events.take(3)
          scene.expect.same(
            seen.map(({ type, object }) => [type, object.apiVersion, object.spec]),
            [
              ['ADDED', `${cars.group}/v1beta1`, { size: '1x2' }],
              ['MODIFIED', `${cars.group}/v1beta1`, { size: '1x9' }],
              ['DELETED', `${cars.group}/v1beta1`, { size: '1x9' }],
            ],
          )
        })
      },
    },
    {
      name: 'applies in both versions own the fields of their version',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          const first = cars.path('a?fieldManager=first', 'v1beta1')
          scene.expect.answer(await scene.patch(first, 'apply', cars.beta('a', '2x3')), 201)
          const wanted = { ...cars.stable('a', 2, 3), spec: { width: 2, color: 'red' } }
          const second = await scene.patch(cars.path('a?fieldManager=second'), 'apply', wanted)
          scene.expect.answer(second, 200, { spec: { width: 2, height: 3, color: 'red' } })
          const owners = (second.body.metadata.managedFields ?? []).map((each) => Object(each))
          scene.expect.same(owners.map(({ manager, apiVersion }) => [manager, apiVersion]).sort(), [
            ['first', `${cars.group}/v1beta1`],
            ['second', `${cars.group}/v1`],
          ])
          const other = { ...cars.stable('a', 7, 3), spec: { width: 7 } }
          const conflict = await scene.patch(cars.path('a?fieldManager=second'), 'apply', other)
          scene.expect.answer(conflict, 409)
        })
      },
    },
    {
      name: 'status and scale are written in the version of the request',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          await scene.make(cars.path(''), cars.stable('a', 1, 2))
          const status = { replicas: 4 }
          const written = await scene.patch(cars.path('a/status', 'v1beta1'), 'merge', { status })
          scene.expect.answer(written, 200, { spec: { size: '1x2' }, status })
          const scaled = await scene.patch(cars.path('a/scale', 'v1beta1'), 'merge', {
            spec: { replicas: 6 },
          })
          scene.expect.answer(scaled, 200, { kind: 'Scale', spec: { replicas: 6 }, status })
          scene.expect.has(await scene.read(cars.path('a')), {
            spec: { width: 1, height: 2, replicas: 6 },
            status,
          })
        })
      },
    },
    {
      name: 'a conversion that fails blocks writes, reads and lists in the other version only',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          // Before there is an object: the watch cache would answer with one that it has converted.
          cars.answer = () => ({ result: { status: 'Failed', message: 'no way' }, convertedObjects: [] })
          await scene.make(cars.path(''), cars.stable('a', 1, 2))
          const message = /^conversion webhook for .*, Kind=Car failed: no way$/
          for (const path of [cars.path('a', 'v1beta1'), cars.path('', 'v1beta1')]) {
            scene.expect.answer(await scene.get(path), 500, { message })
          }
          const made = await scene.post(cars.path('', 'v1beta1'), cars.beta('b', '1x1'))
          scene.expect.answer(made, 500, { message })
          scene.expect.answer(await scene.get(cars.path('a')), 200)
          scene.expect.answer(await scene.get(cars.path('b')), 404)
        })
      },
    },
    {
      name: 'a conversion may change labels and annotations, and no other metadata',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          await scene.make(cars.path(''), { ...cars.stable('a', 1, 2) })
          cars.answer = (converted) => ({
            convertedObjects: converted.map((car) => ({
              ...car,
              metadata: { ...car.metadata, labels: { l: 'm' }, finalizers: ['example.com/f'] },
            })),
          })
          const { metadata } = await scene.read(cars.path('a', 'v1beta1'))
          scene.expect.has(metadata, { labels: { l: 'm' }, finalizers: undefined })
          cars.answer = (converted) => ({
            convertedObjects: converted.map((car) => ({ ...car, metadata: { ...car.metadata, uid: 'x' } })),
          })
          const refused = await scene.get(cars.path('a', 'v1beta1'))
          scene.expect.answer(refused, 500, { message: /must have the same (?:UID|uid)/ })
        })
      },
    },
    {
      name: 'a conversion must return every object, in its kind and in the version asked for',
      source,
      async run(scene) {
        await withConversion(scene, 'v1', async (cars) => {
          await scene.make(cars.path(''), cars.stable('a', 1, 2))
          const answers: [answer: typeof cars.answer, message: RegExp][] = [
            [() => ({ convertedObjects: [] }), /Kind=Car returned 0 objects, expected 1$/],
            [(_, { objects }) => ({ convertedObjects: objects }), /invalid groupVersion/],
            [() => ({ uid: 'x' }), /expected response\.uid=/],
          ]
          for (const [answer, message] of answers) {
            cars.answer = answer
            scene.expect.answer(await scene.get(cars.path('a', 'v1beta1')), 500, { message })
          }
        })
      },
    },
  ],
}
