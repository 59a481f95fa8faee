// Tests the releases of custom resources on an embedded API server: installed, upgraded, kept in step, uninstalled.
import t from 'tap'
import { testOperator } from '../../../testing/index.js'
import { configMaps, events, secrets } from '../../engine/kube/builtin.js'
import { annotationNames } from '../annotations/annotation-reader.js'
import { functionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { chart, configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import { conditionOf, create, edit, find, history, register, start, statusOf } from './reconciled.fixture.js'

void t.test('a custom resource gets a release of the chart, and follows its spec', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  const made = await find(test, configMaps)
  t.match(made, {
    data: { text: 'one' },
    metadata: {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' },
      ownerReferences: [{ kind: 'Greeting', name: 'hello', controller: true }],
    },
  })
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await statusOf(test), {
    deployedRelease: { name: 'hello', revision: 1, chart: 'greeter-1.0.0', appVersion: '2.0', resources: 2 },
  })
  t.match(await conditionOf(test, 'Deployed'), { status: 'True', reason: 'InstallSuccessful' })
  const { items } = await test.client.list(events, { namespace: 'default' })
  t.match(items, [{ reason: 'Installed', message: 'revision 1 of the release hello is deployed' }])
  t.equal(items.length, 1, 'one Event')

  await edit(test, { spec: { text: 'two', more: ['b'] } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'two' } })
  t.ok(await find(test, configMaps, 'hello-b'))
  t.notOk(await find(test, configMaps, 'hello-a'), 'it left the chart')
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.match(await conditionOf(test, 'Deployed'), { reason: 'UpgradeSuccessful' })

  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(
    [await find(test, configMaps), await find(test, configMaps, 'hello-b')],
    [undefined, undefined],
  )
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [], 'no record is left')
  t.equal(await find(test, greetings), undefined)
})

void t.test(
  'an installation writes its record twice, as helm does; a run with nothing to do writes nothing',
  async (t) => {
    const writes: string[] = []
    const test = await testOperator(register(), {
      definitions: [definition],
      wrap: (transport) => ({
        ...transport,
        request: (call) => {
          const [path = ''] = call.path.split('?')
          if (call.method !== 'GET' && !path.includes('/leases'))
            writes.push(`${call.method} ${path.replace(/.*default./, '')}`)
          return transport.request(call)
        },
        stream: transport.stream.bind(transport),
        close: () => transport.close(),
      }),
    })
    t.teardown(() => test.stop())
    await create(test, { text: 'one' })
    await test.settled()
    const record = 'secrets/sh.helm.release.v1.hello.v1'
    const first = ['PATCH greetings/hello', 'POST secrets', 'PATCH configmaps/hello', `PUT ${record}`]
    t.strictSame(writes.slice(0, 4), first)
    t.strictSame(writes.slice(4).sort(), ['PATCH greetings/hello/status', 'POST events'])
    writes.length = 0
    await edit(test, { metadata: { labels: { any: 'thing' } } })
    await test.settled()
    t.strictSame(writes, [])
  },
)

void t.test('an object that was changed or deleted is put right; the fields of others stay', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'no', other: 'mine' } } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one', other: 'mine' } })
  await test.client.delete(configMaps, key)
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.strictSame(await history(test), ['1 deployed'], 'drift is not a new revision')
})

void t.test(
  'later values win: chart, spec, translator, mapper, overrides, texts, hooks in code',
  async (t) => {
    const data: JsonObject[] = []
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    /** The value of each name from the one at `from` on. */
    const set = (from: number, value: string) =>
      Object.fromEntries(names.slice(from).map((name) => [name, value]))
    const recording = functionChart(
      { name: 'values', version: '1.0.0', values: set(0, 'chart') },
      (values, { name }) => {
        data.push(values)
        return [configMap(name, {})]
      },
    )
    const overrides = [set(4, 'override'), set(5, '1.20')].flatMap((values) =>
      Object.entries(values).map(([key, value]) => ({ key, path: [key], value })),
    )
    const test = await start(t, {
      chart: recording,
      translateValues: (spec) => ({ ...spec, ...set(2, 'translated') }),
      mapValues: (values) => ({ ...values, ...set(3, 'mapped') }),
      overrides,
      preHooks: [({ values }) => void Object.assign(values, set(6, 'hook'))],
    })
    await create(test, set(1, 'spec'))
    await test.settled()
    const last = { b: 'spec', c: 'translated', d: 'mapped', e: 'override', f: '1.20', g: 'hook' }
    t.strictSame(data.at(-1), { a: 'chart', ...last })
    const [stored] = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
    t.strictSame(stored?.release.config, last, 'without the defaults')
  },
)

void t.test('annotations set the options of one release, and a bad one is reported', async (t) => {
  const test = await start(t)
  const prefix = 'helm.sdk.operatorframework.io'
  await create(
    test,
    {},
    { [`${prefix}/install-description`]: 'by me', [`${prefix}/upgrade-force`]: 'perhaps' },
  )
  await test.settled()
  const [revision] = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
  t.equal(revision?.release.info.description, 'by me')
  const { items } = await test.client.list(events, { namespace: 'default' })
  const reported = items.find(({ reason }) => reason === 'BadAnnotation')
  t.match(reported?.message, `${prefix}/upgrade-force`)
})

void t.test('the reason of Deployed is that of the operation, whatever descriptions users set', async (t) => {
  const test = await start(t, { annotations: annotationNames })
  const { installDescription, upgradeDescription } = annotationNames
  const describe = (install: string | null, upgrade: string) => ({
    metadata: { annotations: { [installDescription]: install, [upgradeDescription]: upgrade } },
  })
  const described = { [installDescription]: 'Rollback to 7', [upgradeDescription]: 'Install complete' }
  await create(test, { text: 'one' }, described)
  await test.settled()
  t.match(await conditionOf(test, 'Deployed'), { reason: 'InstallSuccessful' })
  await edit(test, describe(null, 'Install complete'))
  await test.settled()
  t.match(await conditionOf(test, 'Deployed'), { reason: 'InstallSuccessful' }, 'without the annotation')
  for (const [text, description] of Object.entries({ two: 'Install complete', three: 'Rollback to 1' })) {
    await edit(test, { ...describe(null, description), spec: { text } })
    await test.settled()
    const revisions = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
    t.equal(revisions.at(-1)?.release.info.description, description)
    t.match(await conditionOf(test, 'Deployed'), { reason: 'UpgradeSuccessful' }, description)
  }
})

void t.test('old revisions are pruned', async (t) => {
  const test = await start(t, { maxHistory: 3 })
  await create(test, { text: '0' })
  for (const text of ['1', '2', '3', '4', '5', '6']) {
    await test.settled()
    await edit(test, { spec: { text } })
  }
  await test.settled()
  t.strictSame(await history(test), ['5 superseded', '6 superseded', '7 deployed'])
})

void t.test('options that are wrong are refused', async (t) => {
  const refused = (options: object, message: RegExp) =>
    t.throws(() => helmController({ resource: kind, chart, ...options }), {
      code: 'INVALID_REGISTRATION',
      message,
    })
  refused({ target: 'host' }, /target "host": name the cluster of its objects/)
  refused({ target: 'virtual', cluster: 'host' }, /target "virtual": set targetNamespace/)
  refused({ target: 'host', cluster: 'virtual', adopt: 'always' }, /adopt: always/)
  refused({ createNamespace: true }, /createNamespace: set targetNamespace/)
  refused({ virtualNames: true }, /virtualNames: that is for objects with a namespace/)
  refused({ reconcilePeriodMs: -1 }, /reconcilePeriodMs -1/)
  refused({ maxConcurrentReconciles: 0.5 }, /maxConcurrentReconciles 0.5/)
  refused({ resource: { ...kind, namespaced: false } }, /set targetNamespace/)
})
