// Tests what follows values that the chart refuses, or prints otherwise than people expect, and objects that cannot be
// deleted.
import t from 'tap'
import { configMaps, events, secrets } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import { functionChart } from '../../chart/function-chart.js'
import { RenderError } from '../../render/render-error.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

const strict = functionChart({ name: 'strict', version: '1.0.0' }, ({ text, port }, { name }) => {
  if (typeof text !== 'string') throw new RenderError('InvalidValues', 'text: got number, want string')
  if (text === 'fail') throw new RenderError('RenderError', 'strict/templates/a.yaml:3: text is "fail"')
  return [
    configMap(name, {
      text,
      ...(port !== undefined && { port: Number(port).toExponential().replace('+', '+0') }),
    }),
  ]
})

void t.test('values that the chart refuses are in the status, and nothing is written', async (t) => {
  const test = await start(t, { chart: strict })
  await create(test, { text: 7 })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'InvalidValues',
    message: 'the chart strict failed: text: got number, want string',
  })
  t.match(await eventsOf(test, 'InvalidValues'), [/text: got number, want string/])
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [])
  t.equal(await find(test, configMaps), undefined)
  await test.client.create(greetings, { metadata: { ...key, name: 'other' }, spec: { text: 'right' } })
  await test.settled()
  t.match(await find(test, configMaps, 'other'), { data: { text: 'right' } }, 'other objects go on')
})

void t.test('a template that fails leaves the running release as it is', async (t) => {
  const test = await start(t, { chart: strict })
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { spec: { text: 'fail' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'RenderError',
    message: /strict\/templates\/a.yaml:3: text is "fail"/,
  })
  t.match(await conditionOf(test, 'Deployed'), { status: 'True' })
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'one' } })
})

void t.test('an Event names numbers that the chart prints with an exponent', async (t) => {
  const test = await start(t, { chart: strict })
  await create(test, { text: 'one', port: 2_500_000 })
  await test.settled()
  t.match(await eventsOf(test, 'LargeNumber'), [/the chart of hello prints port as 2.5e\+06; use text/])
  const other = await start(t, { chart: strict })
  await create(other, { text: 'one', port: 2_500, unused: 2_500_000 })
  await other.settled()
  t.strictSame(await eventsOf(other, 'LargeNumber'), [])
})

void t.test('an Event names the values that the program sets, without their texts', async (t) => {
  const overrides = [
    { key: 'text', path: ['text'], value: 'from the environment' },
    { key: 'image.tag', path: ['image', 'tag'], value: 'from the environment' },
  ]
  const test = await start(t, { overrides })
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { metadata: { labels: { any: 'thing' } } })
  await test.settled()
  const message = 'the operator sets values of revision 1 of hello, whatever its spec says: text, image.tag'
  t.strictSame(await eventsOf(test, 'ValueOverridden'), [message], 'once for each revision')
  await edit(test, { spec: { more: ['a'] } })
  await test.settled()
  t.match(await eventsOf(test, 'ValueOverridden'), [message, /revision 2/])
  const { items } = await test.client.list(events, { namespace: 'default' })
  t.strictSame(
    items.filter((event) => 'series' in event),
    [],
    'none repeats',
  )
  t.notMatch(JSON.stringify([items, (await find(test, greetings))?.status]), /from the environment/)
})

void t.test('a failed first installation is an installation in each try', async (t) => {
  const tries: boolean[] = []
  let isBad = true
  const chart = functionChart({ name: 'tried', version: '1.0.0' }, (_, { name, isInstall }) => {
    tries.push(isInstall)
    return [configMap(name, isBad ? { 'no key': '' } : {})]
  })
  const test = await start(t, { chart, annotations: {} })
  await create(test)
  await until(async () => tries.length > 3)
  t.strictSame(await history(test), ['1 failed'], 'in place')
  isBad = false
  await until(async () => (await history(test)).at(-1)?.endsWith('deployed') ?? false)
  t.notOk(tries.slice(0, 4).includes(false))
})

void t.test('objects of an unknown policy are deleted, with a warning', async (t) => {
  const chart = functionChart({ name: 'policies', version: '1.0.0' }, ({ few }, { name }) => [
    configMap(name, {}, { 'helm.sh/resource-policy': 'kept' }),
    ...(few ? [] : [configMap(`${name}-gone`, {}, { 'helm.sh/resource-policy': 'delete' })]),
    configMap(`${name}-kept`, {}, { 'helm.sh/resource-policy': 'keep' }),
    configMap(`${name}-written`, {}, { 'helm.sh/resource-policy': ' Keep ' }),
  ])
  const test = await start(t, { chart })
  await create(test)
  await test.settled()
  await edit(test, { spec: { few: true } })
  await test.settled()
  t.equal(await find(test, configMaps, 'hello-gone'), undefined)
  t.match(await eventsOf(test, 'UnknownPolicy'), [
    /ConfigMap default\/hello-gone has .* "delete", which is not known/,
  ])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal((await eventsOf(test, 'UnknownPolicy')).length, 2)
  t.equal(await find(test, configMaps), undefined)
  t.ok(await find(test, configMaps, 'hello-kept'))
  t.ok(await find(test, configMaps, 'hello-written'), 'as helm reads the policy')
})

void t.test('an uninstallation that fails keeps the finalizer, and ends when it can', async (t) => {
  let isRefused = true
  const test = await start(
    t,
    {},
    {
      wrap: (transport) => ({
        request: (call) => {
          if (isRefused && call.method === 'DELETE' && call.path.includes('/configmaps/'))
            return Promise.reject(new ApiError({ code: 403, reason: 'Forbidden', message: 'not today' }))
          return transport.request(call)
        },
        stream: transport.stream.bind(transport),
        close: () => transport.close(),
      }),
    },
  )
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.delete(greetings, key)
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    reason: 'UninstallError',
    message: /ConfigMap default\/hello .*not today/,
  })
  t.match((await find(test, greetings))?.metadata.finalizers, [/uninstall-helm-release/])
  t.strictSame(await history(test), ['1 uninstalling'])
  isRefused = false
  await until(async () => (await find(test, greetings)) === undefined)
  t.equal(await find(test, configMaps), undefined)
})
