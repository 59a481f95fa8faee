import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { EventStream } from '../cluster-under-test.js'
import { type ConvertedResource, withConversion } from '../conversion-server.js'
import { withWebhooks } from '../webhook-server.js'

const source = 'Kubernetes documentation, Versions in CustomResourceDefinitions, Webhook conversion'

/** Watches the changes after the present state of a collection. */
async function watchFromNow(client: CaseClient, path: string): Promise<EventStream> {
  const { metadata } = await client.read(path)
  return client.watch(`${path}?resourceVersion=${metadata.resourceVersion}`)
}

/** A mutating webhook for `v1` that makes every car blue. */
const paintsIn = (cars: ConvertedResource, operations: readonly string[]) => {
  const patch = JSON.stringify([{ op: 'add', path: '/spec/color', value: 'blue' }])
  return {
    name: 'paints',
    type: 'Mutating',
    reply: () => ({ patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') }),
    settings: {
      rules: [{ apiGroups: [cars.group], apiVersions: ['v1'], operations, resources: ['cars'] }],
    },
  } as const
}

/** The fields of each manager, by its name and version. */
function ownersOf({ body }: { body: { metadata: { managedFields?: readonly unknown[] } } }) {
  const owners = (body.metadata.managedFields ?? []).map((each) => {
    const { manager, apiVersion = '', fieldsV1 } = Object(each)
    return [`${manager} ${String(apiVersion).split('/').at(-1)}`, fieldsV1] as const
  })
  return Object.fromEntries(owners.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Custom resources in two versions that a webhook converts. */
export const conversionWebhooks: CaseGroup = {
  name: 'conversion-webhooks',
  cases: [
    {
      name: 'an object can be written and read in both versions',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          const made = await client.post(cars.path('', 'v1beta1'), cars.beta('a', '2x3'))
          client.expect.answer(made, 201, { apiVersion: `${cars.group}/v1beta1`, spec: { size: '2x3' } })
          const { uid } = made.body.metadata
          client.expect.has(await client.read(cars.path('a')), {
            apiVersion: `${cars.group}/v1`,
            metadata: { uid, generation: 1 },
            spec: { width: 2, height: 3, size: undefined },
          })
          const changed = await client.patch(cars.path('a'), 'merge', { spec: { width: 5, color: 'red' } })
          client.expect.answer(changed, 200, { metadata: { generation: 2 } })
          const beta = await client.read(cars.path('a', 'v1beta1'))
          client.expect.has(beta, { metadata: { annotations: { color: 'red' } }, spec: { size: '5x3' } })
          const replaced = await client.put(cars.path('a', 'v1beta1'), { ...beta, spec: { size: '5x4' } })
          client.expect.answer(replaced, 200, { spec: { size: '5x4' } })
          client.expect.has(await client.read(cars.path('a')), {
            spec: { width: 5, height: 4, color: 'red' },
          })
          const removed = await client.delete(cars.path('a', 'v1beta1'))
          client.expect.answer(removed, 200)
          client.expect.answer(await client.get(cars.path('a')), 404)
        })
      },
    },
    {
      name: 'objects of two stored versions are in one list, in each version',
      source,
      async run(client) {
        await withConversion(client, 'v1beta1', async (cars) => {
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          await cars.storeAs('v1')
          await client.make(cars.path(''), cars.stable('b', 3, 4))
          const { items: stable = [] } = await client.read(cars.path(''))
          const versions = stable.map(({ apiVersion }) => apiVersion)
          client.expect.same(versions, Array(2).fill(`${cars.group}/v1`))
          client.expect.same(
            stable.map(({ spec }) => spec),
            [
              { width: 1, height: 2 },
              { width: 3, height: 4 },
            ],
          )
          const { items: beta = [] } = await client.read(cars.path('', 'v1beta1'))
          client.expect.same(
            beta.map(({ spec }) => spec),
            [{ size: '1x2' }, { size: '3x4' }],
          )
        })
      },
    },
    {
      name: 'a watch shows the changes in its version',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          const events = await watchFromNow(client, cars.path('', 'v1beta1'))
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          await client.patch(cars.path('a'), 'merge', { spec: { height: 9 } })
          await client.delete(cars.path('a'))
          const seen = await events.take(3)
          client.expect.same(
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
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          const first = cars.path('a?fieldManager=first', 'v1beta1')
          client.expect.answer(await client.patch(first, 'apply', cars.beta('a', '2x3')), 201)
          const wanted = { ...cars.stable('a', 2, 3), spec: { width: 2, color: 'red' } }
          const second = await client.patch(cars.path('a?fieldManager=second'), 'apply', wanted)
          client.expect.answer(second, 200, { spec: { width: 2, height: 3, color: 'red' } })
          const owners = (second.body.metadata.managedFields ?? []).map((each) => Object(each))
          client.expect.same(owners.map(({ manager, apiVersion }) => [manager, apiVersion]).sort(), [
            ['first', `${cars.group}/v1beta1`],
            ['second', `${cars.group}/v1`],
          ])
          const other = { ...cars.stable('a', 7, 3), spec: { width: 7 } }
          const conflict = await client.patch(cars.path('a?fieldManager=second'), 'apply', other)
          client.expect.answer(conflict, 409)
        })
      },
    },
    {
      name: 'status and scale are written in the version of the request',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          const status = { replicas: 4 }
          const written = await client.patch(cars.path('a/status', 'v1beta1'), 'merge', { status })
          client.expect.answer(written, 200, { spec: { size: '1x2' }, status })
          const scaled = await client.patch(cars.path('a/scale', 'v1beta1'), 'merge', {
            spec: { replicas: 6 },
          })
          client.expect.answer(scaled, 200, { kind: 'Scale', spec: { replicas: 6 }, status })
          client.expect.has(await client.read(cars.path('a')), {
            spec: { width: 1, height: 2, replicas: 6 },
            status,
          })
        })
      },
    },
    {
      name: 'a conversion that fails blocks writes, reads and lists in the other version only',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          // Before there is an object: the watch cache would answer with one that it has converted.
          cars.answer = () => ({ result: { status: 'Failed', message: 'no way' }, convertedObjects: [] })
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          const message = /^conversion webhook for .*, Kind=Car failed: no way$/
          for (const path of [cars.path('a', 'v1beta1'), cars.path('', 'v1beta1')]) {
            client.expect.answer(await client.get(path), 500, { message })
          }
          const made = await client.post(cars.path('', 'v1beta1'), cars.beta('b', '1x1'))
          client.expect.answer(made, 500, { message })
          client.expect.answer(await client.get(cars.path('a')), 200)
          client.expect.answer(await client.get(cars.path('b')), 404)
        })
      },
    },
    {
      name: 'a watch is silent while the conversion of its changes fails, and goes on when it works',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          const events = await watchFromNow(client, cars.path('', 'v1beta1'))
          const { answer } = cars
          cars.answer = () => ({ result: { status: 'Failed', message: 'no way' }, convertedObjects: [] })
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          const first = events.take(1)
          const silence = new Promise((resolve) => setTimeout(resolve, 500, 'silence'))
          client.expect.same(await Promise.race([first, silence]), 'silence')
          cars.answer = answer
          const [event] = await first
          client.expect.same([event?.type, event?.object.spec], ['ADDED', { size: '1x2' }])
        })
      },
    },
    {
      name: 'a conversion may change labels and annotations, and no other metadata',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await client.make(cars.path(''), { ...cars.stable('a', 1, 2) })
          cars.answer = (converted) => ({
            convertedObjects: converted.map((car) => ({
              ...car,
              metadata: { ...car.metadata, labels: { l: 'm' }, finalizers: ['example.com/f'] },
            })),
          })
          const { metadata } = await client.read(cars.path('a', 'v1beta1'))
          client.expect.has(metadata, { labels: { l: 'm' }, finalizers: undefined })
          cars.answer = (converted) => ({
            convertedObjects: converted.map((car) => ({ ...car, metadata: { ...car.metadata, uid: 'x' } })),
          })
          const refused = await client.get(cars.path('a', 'v1beta1'))
          client.expect.answer(refused, 500, { message: /must have the same (?:UID|uid)/ })
        })
      },
    },
    {
      name: 'a conversion must return every object, in its kind and in the version asked for',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          const answers: [answer: typeof cars.answer, message: RegExp][] = [
            [() => ({ convertedObjects: [] }), /Kind=Car returned 0 objects, expected 1$/],
            [(_, { objects }) => ({ convertedObjects: objects }), /invalid groupVersion/],
            [() => ({ uid: 'x' }), /expected response\.uid=/],
          ]
          for (const [answer, message] of answers) {
            cars.answer = answer
            client.expect.answer(await client.get(cars.path('a', 'v1beta1')), 500, { message })
          }
        })
      },
    },
    {
      name: 'a webhook gets the first version of reviews that it lists and the server knows',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go @ v0.36.3',
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await client.make(cars.path(''), cars.stable('a', 1, 2))
          const webhook = { conversionReviewVersions: ['v3', 'v1beta1', 'v1'] }
          await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', {
            spec: { conversion: { webhook } },
          })
          cars.review = { apiVersion: undefined, kind: undefined }
          cars.answer = () => ({ uid: 'x' })
          await client.until('reviews have the other version', async () => {
            const { status } = await client.get(cars.path('a', 'v1beta1'))
            return status === 200 && cars.reviewVersions.at(-1) === 'apiextensions.k8s.io/v1beta1'
          })
          cars.review = {}
          client.expect.answer(await client.get(cars.path('a', 'v1beta1')), 500, {
            message:
              /converting \(v1\.ConversionReview\) to \(v1beta1\.ConversionReview\): unknown conversion$/,
          })
        })
      },
    },
    {
      name: 'an admission webhook gets and changes objects in the version of its rule',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await withWebhooks(client, [paintsIn(cars, ['CREATE'])], async (calls) => {
            const made = await client.post(cars.path('', 'v1beta1'), cars.beta('a', '2x3'))
            client.expect.answer(made, 201, {
              apiVersion: `${cars.group}/v1beta1`,
              metadata: { annotations: { color: 'blue' } },
              spec: { size: '2x3' },
            })
            client.expect.same(calls.length, 1)
            client.expect.has(calls[0]?.request.object ?? {}, {
              apiVersion: `${cars.group}/v1`,
              spec: { width: 2, height: 3 },
            })
          })
        })
      },
    },
    {
      name: 'fields have the same owners if a mutating webhook changes them in another version',
      source,
      async run(client) {
        await withConversion(client, 'v1', async (cars) => {
          await withWebhooks(client, [paintsIn(cars, ['CREATE', 'UPDATE'])], async () => {
            const first = cars.path('a?fieldManager=first', 'v1beta1')
            const made = await client.patch(first, 'apply', cars.beta('a', '2x3'))
            client.expect.answer(made, 201, { metadata: { annotations: { color: 'blue' } } })
            client.expect.same(ownersOf(made), { 'first v1beta1': { 'f:spec': { 'f:size': {} } } })
            const second = await client.patch(cars.path('a?fieldManager=second'), 'apply', {
              ...cars.stable('a', 2, 3),
              spec: { width: 2 },
            })
            const red = { ...cars.stable('a', 2, 3), spec: { color: 'red' } }
            const third = await client.patch(cars.path('a?fieldManager=third'), 'apply', red)
            client.expect.answer(second, 200, { spec: { color: 'blue' } })
            client.expect.answer(third, 200, { spec: { color: 'blue' } })
            client.expect.same(ownersOf(third), {
              'first v1beta1': { 'f:spec': { 'f:size': {} } },
              'second v1': { 'f:spec': { 'f:width': {} } },
              'third v1': { 'f:spec': { 'f:color': {} } },
            })
            const fourth = cars.path('a?fieldManager=fourth', 'v1beta1')
            const changed = await client.patch(fourth, 'merge', { spec: { size: '4x4' } })
            client.expect.answer(changed, 200, { metadata: { generation: 2 } })
            client.expect.same(ownersOf(changed), {
              'fourth v1beta1': { 'f:spec': { 'f:size': {} } },
              'third v1': { 'f:spec': { 'f:color': {} } },
            })
          })
        })
      },
    },
  ],
}
