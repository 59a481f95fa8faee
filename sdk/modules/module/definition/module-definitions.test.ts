import t from 'tap'
import { configMaps } from '../../../engine/kube/builtin.js'
import { modules } from '../../kinds/module-kind.js'
import { checkRefusedSpecs, isInstalled, moduleOf, shop, startTimed } from '../modules.fixture.js'

/** Fields that are refused when the definition is read, although no value is set. */
const wrongSchemas: readonly [field: object, message: RegExp][] = [
  [{ integer: { default: 3.7 } }, /config\[0\]\.integer\.default is wrong: must be an integer/],
  [{ integer: { min: 1, default: 0 } }, /config\[0\]\.integer\.default must be at least 1, got 0/],
  [{ string: { regex: '(?<=a)b' } }, /config\[0\]\.string\.regex is not a pattern of RE2/],
  [{ string: { regex: '(a)\\1' } }, /config\[0\]\.string\.regex is not a pattern of RE2/],
  [{ option: { values: [] } }, /config\[0\]\.option\.values is wrong: must have at least one value/],
]

void t.test('definitions that this SDK does not have are refused with a sentence', async (t) => {
  const test = await startTimed(t)
  const data = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at + 10}`, '']))
  await test.client.create(configMaps, { metadata: { namespace: 'default', name: 'many' }, data })
  const cases: [object, RegExp, reason?: string][] = [
    [
      { source: { raw: { kind: 'Nothing' } } },
      /the kind Nothing of the definition is unknown; known are Custom, Noting: correct it, or add the program to builtIn/,
    ],
    [
      { source: { raw: { kind: 'Noting', metadata: { supportedOperatorVersion: '>=99' } } } },
      /supports the versions ">=99" of the SDK, and this one is \d.*; correct supportedOperatorVersion/,
    ],
    [
      { source: { raw: { kind: 'Noting', metadata: { supportedOperatorVersion: 'new' } } } },
      /not a range of versions: "new"/,
    ],
    [{ source: {} }, /needs exactly one of raw, configMap, httpURL/],
    [{ source: { configMap: { name: 'absent' } } }, /ConfigMap default\/absent does not exist/],
    [{ source: { configMap: { name: 'many' } } }, /many has no key .*; its keys are k10, .*, k19 and 2 more/],
    [{ source: { httpURL: 'https://programs.example/module.yaml' } }, /this operator fetches no definitions/],
    [{ source: undefined, custom: { image: 'web:1' } }, /containers do not run here: set containers/],
    [
      { source: undefined, custom: { program: { url: 'https://a.example/a.mjs' } } },
      /this operator loads no programs/,
    ],
    [{ source: undefined, helm: {} }, /Helm releases are not installed here: set helm/],
    ...wrongSchemas.map(([field, message]): [object, RegExp, string] => [
      { source: { raw: { kind: 'Noting', config: [{ name: 'Value', alias: 'value', ...field }] } } },
      message,
      'InvalidConfig',
    ]),
  ]
  for (const [at, [spec]] of cases.entries())
    await test.client.create(modules, moduleOf(spec as never, { name: `wrong-${at}` }))
  await test.pass(0)
  for (const [at, [, message, reason]] of cases.entries()) {
    const { status } = await test.live(`wrong-${at}`)
    t.match(status?.message, message)
    if (reason) t.match(status, { phase: /^(installing|failed)$/, operation: { reason } })
  }
  t.strictSame(test.noting.texts, [])
  await test.pass(3_600_000)
  for (const at of [1, 2])
    t.match((await test.live(`wrong-${at}`)).status?.operation, { attempt: 1, permanent: true })
  await checkRefusedSpecs(t, test.client)
  await t.rejects(
    test
      .change({})
      .then(() =>
        test.client.patch(
          modules,
          { ...shop, name: 'wrong-0' },
          { type: 'merge', body: { spec: { workspace: { name: 'other' } } } },
        ),
      ),
    /immutable|404|not found/,
  )
})

void t.test(
  'the definition of a ConfigMap is frozen by the installation, and a later change is reported',
  async (t) => {
    const test = await startTimed(t)
    const at = { namespace: 'default', name: 'definition' }
    await test.client.create(configMaps, {
      metadata: at,
      data: { 'module.yaml': 'kind: Noting\nmetadata:\n  version: "1.20"\n' },
    })
    await test.client.create(modules, moduleOf({ source: { configMap: { name: 'definition' } } } as never))
    await test.pass(0)
    t.match((await test.live()).status, { phase: 'ready', program: { version: '1.20' } })
    await test.client.delete(configMaps, at)
    await test.change({ config: { size: 1 } })
    await test.pass(0)
    t.match((await test.live()).status, {
      phase: 'ready',
      conditions: [{}, {}, { type: 'Degraded', status: 'True', reason: 'Immutable' }],
    })
    await test.client.delete(modules, shop)
    await test.pass(0)
    await t.rejects(test.live(), { code: 404 })
    t.notOk(await isInstalled(test.client))
  },
)

/** The engine asks for one object when a watch has been silent. */
const isProbe = (path: string) => path.includes('limit=1')

void t.test('with nothing to do nothing is written and nothing is read', async (t) => {
  let calls = 0
  const test = await startTimed(t, {
    wrap: (transport) =>
      new Proxy(transport, {
        get: (target, name) => {
          const value = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            if (name === 'request' && !isProbe((args[0] as { path: string }).path)) calls++
            return value.apply(target, args)
          }
        },
      }),
  })
  for (let at = 0; at < 100; at++) await test.client.create(modules, moduleOf({}, { name: `idle-${at}` }))
  await test.pass(1_000)
  const { items } = await test.client.list(modules)
  t.equal(items.filter(({ status }) => status?.phase === 'ready').length, 100)
  await test.pass(60_000)
  calls = 0
  for (let minutes = 0; minutes < 60; minutes += 10) await test.pass(600_000)
  t.equal(calls, 0)
})

void t.test('a ConfigMap that is created or mended later is noticed at once', async (t) => {
  const test = await startTimed(t)
  const definition = { namespace: 'default', name: 'definition' }
  const source = { configMap: { name: 'definition' } }
  await test.client.create(modules, moduleOf({ source } as never))
  await test.pass(1_000_000)
  t.match((await test.live()).status, {
    phase: 'failed',
    message: /ConfigMap default\/definition does not exist/,
  })
  await test.client.create(configMaps, { metadata: definition, data: { 'module.yaml': 'kind: Nothing' } })
  await test.pass(0)
  t.match((await test.live()).status, {
    phase: 'failed',
    operation: { permanent: true },
    message: /the kind Nothing/,
  })
  const data = { 'module.yaml': 'kind: Noting' }
  await test.client.patch(configMaps, definition, { type: 'merge', body: { data } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
})
