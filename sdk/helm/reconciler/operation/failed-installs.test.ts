// Tests of onFailure 'uninstall': which objects of several failed revisions go, and which stay.
import t from 'tap'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { Transport, TransportRequest } from '../../../engine/transport/transport.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find } from '../reconciled.fixture.js'
import { deployed, failed, makeExisting, started } from './failing-releases.fixture.js'

/** A chart with the ConfigMaps that the values name; one named `z` is refused. */
const chart = functionChart({ name: 'failing', version: '1.0.0' }, ({ more }, { name }) =>
  (more as string[]).map((one) =>
    one === 'z' ? configMap('z', { 'no key': '' }) : configMap(`${name}-${one}`, {}),
  ),
)

/** Answers requests by `answer`, before or instead of the API server. */
const wrapWith =
  (answer: (request: TransportRequest, next: Transport['request']) => ReturnType<Transport['request']>) =>
  (transport: Transport): Transport => ({
    close: () => transport.close(),
    request: (request) => answer(request, (sent) => transport.request(sent)),
    stream: (request) => transport.stream(request),
  })

void t.test('objects of an earlier failure go, if the spec changed before they were deleted', async (t) => {
  let onFailed = async () => {}
  const wrap = wrapWith(async (request, next) => {
    const response = await next(request)
    const isEnd = request.method === 'PUT' && request.path.includes('/secrets/sh.helm.release.v1.hello.v1')
    if (isEnd && String(request.body).includes('"status":"failed"')) await onFailed()
    return response
  })
  const { test, reach, pass } = await started(t, { chart, onFailure: 'uninstall' }, { wrap })
  onFailed = async () => {
    onFailed = async () => {}
    await edit(test, { spec: { more: ['b', 'z'] } })
  }
  const uid = await makeExisting(test, 'hello-c')
  await create(test, { more: ['a', 'c', 'z'] })
  await reach(failed, failed)
  await pass(5_000)
  t.equal(await find(test, configMaps, 'hello-b'), undefined, 'of the second revision')
  t.equal(await find(test, configMaps, 'hello-a'), undefined, 'of the first revision')
  t.equal((await find(test, configMaps, 'hello-c'))?.metadata.uid, uid, 'it existed before')
  const later = await makeExisting(test, 'hello-a')
  await test.client.delete(greetings, key)
  await reach()
  t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, later, 'a user made it after the deletion')
})

void t.test('an object that cannot be deleted does not hold up the others', async (t) => {
  let isRefused = true
  const wrap = wrapWith(async (request, next) => {
    const isOfB = request.method === 'DELETE' && request.path.includes('/configmaps/hello-b')
    if (isRefused && isOfB) throw new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })
    return next(request)
  })
  const { test, reach, pass } = await started(t, { chart, onFailure: 'uninstall' }, { wrap })
  await create(test, { more: ['a', 'b', 'c', 'z'] })
  await reach(failed)
  await pass(5_000)
  t.strictSame(
    [await find(test, configMaps, 'hello-a'), await find(test, configMaps, 'hello-c')],
    [undefined, undefined],
  )
  t.match(await conditionOf(test, 'ReleaseFailed'), { message: /ConfigMap default\/hello-b \(v1\): no/ })
  isRefused = false
  await pass(60_000)
  t.equal(await find(test, configMaps, 'hello-b'), undefined)
  t.match(await eventsOf(test, 'Uninstalled'), [/the objects of hello are deleted/])
})

void t.test(
  'a release whose record was deleted is not uninstalled when its installation fails',
  async (t) => {
    let isRefused = false
    const wrap = wrapWith(async (request, next) => {
      const isOfB = request.method === 'PATCH' && request.path.includes('/configmaps/hello-b?')
      if (isRefused && isOfB) throw new ApiError({ code: 422, reason: 'Invalid', message: 'no' })
      return next(request)
    })
    const { test, reach, pass } = await started(t, { chart, onFailure: 'uninstall' }, { wrap })
    await create(test, { more: ['a', 'b'] })
    await reach(deployed)
    const uid = (await find(test, configMaps, 'hello-a'))?.metadata.uid
    isRefused = true
    await test.client.delete(configMaps, { namespace: 'default', name: 'hello-b' })
    await test.client.delete(secrets, { namespace: 'default', name: 'sh.helm.release.v1.hello.v1' })
    await reach(failed)
    await pass(60_000)
    t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, uid)
    await edit(test, { spec: { more: ['a', 'b', 'c'] } })
    await reach(failed, failed)
    await pass(60_000)
    t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, uid, 'nor with other values')
    await test.client.delete(greetings, key)
    await reach()
    t.equal(await find(test, configMaps, 'hello-a'), undefined, 'it goes with the custom resource')
  },
)
