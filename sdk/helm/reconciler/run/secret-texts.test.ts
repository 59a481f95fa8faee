// Tests that messages contain no value of a Secret of a release, whatever object an error is about.
import t, { type Test } from 'tap'
import { configMaps, events, secrets } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Logger } from '../../../engine/observe/logger.js'
import { functionChart } from '../../chart/function-chart.js'
import { RenderError } from '../../render/render-error.js'
import { configMap, greetings } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, start, until } from '../reconciled.fixture.js'
import { noteSecrets } from './note-secrets.js'
import { SecretTexts } from './secret-texts.js'

const password = 'hunter2 of the release'

const secretOf = (name: string) =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    data: { password: Buffer.from(password).toString('base64') },
  }) as KubeObject

/** A chart that uses its password as the spec says. */
const careless = functionChart({ name: 'careless', version: '1.0.0' }, ({ use }, { name }) => {
  if (use === 'error') throw new RenderError('RenderError', `the password ${password} is too short`)
  const object = configMap(name, {})
  const metadata = { ...object.metadata, ...(use === 'label' && { labels: { password } }) }
  const apiVersion = `example.com/${password}`
  return [
    ...(use === 'gone' ? [] : [secretOf(name)]),
    { ...object, metadata },
    ...(use === 'kind' ? [{ apiVersion, kind: 'Thing', metadata: { name } } as KubeObject] : []),
  ]
})

/** An operator, and all that it says to people. */
async function started(t: Test) {
  const lines: string[] = []
  const write = (fields: object, message: string) => {
    const texts = Object.values(fields).map((field) => (field instanceof Error ? `${field.stack}` : field))
    lines.push(JSON.stringify([message, fields, texts]))
  }
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger }
  const test = await start(t, { chart: careless }, { logger })
  const said = async () =>
    JSON.stringify([lines, await find(test, greetings), await test.client.list(events)])
  return { test, said }
}

void t.test('an error about another kind of object does not quote a Secret', async (t) => {
  const { test, said } = await started(t)
  await create(test, { use: 'label' })
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  const message = /^ConfigMap default\/hello .*Invalid value: "\[secret\]"/
  t.match(await conditionOf(test, 'ReleaseFailed'), { message })
  await test.stop()
  t.notMatch(await said(), password)
  t.match(await said(), 'InstallFailed')
  const records = (await test.client.list(secrets, { namespace: 'default' })).items
  t.match(records.map(({ type }) => type).sort(), ['Opaque', 'helm.sh/release.v1'])
})

void t.test('nor does one of a run that saves no revision', async (t) => {
  const { test, said } = await started(t)
  await create(test, { use: 'kind' })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.status === 'True')
  t.match(await conditionOf(test, 'Irreconcilable'), {
    message: /an object of kind Thing with the apiVersion "example.com\/\[secret\]"/,
  })
  t.strictSame(await history(test), [])
  await test.stop()
  t.notMatch(await said(), password)
})

void t.test('nor does a template that quotes the password of an earlier revision', async (t) => {
  const { test, said } = await started(t)
  await create(test, {})
  await test.settled()
  await edit(test, { spec: { use: 'error' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { message: /the password \[secret\] is too short/ })
  t.ok(await find(test, configMaps))
  await test.stop()
  t.notMatch(await said(), password)
})

void t.test('values of Secrets of all forms are noted, and names of the release stay', (t) => {
  const texts = new SecretTexts('hello', 'default')
  const encoded = Buffer.from('encoded').toString('base64')
  texts.note([
    { kind: 'Secret', metadata: { name: 'database' }, data: { a: encoded } },
    { kind: 'Secret', stringData: { a: 'hello', b: 'database' } },
    { kind: 'Secret', stringData: { a: 'in plain text\n' } },
    { kind: 'SecretList', items: [{ data: { a: Buffer.from('of a list').toString('base64') } }] },
    { kind: 'ConfigMap', data: { a: 'of a ConfigMap' } },
    undefined,
  ])
  for (const text of ['encoded', encoded, 'in plain text', 'of a list'])
    t.equal(texts.redact(`it is ${text}!`), 'it is [secret]!')
  for (const text of ['hello', 'database', 'of a ConfigMap'])
    t.equal(texts.redact(`it is ${text}!`), `it is ${text}!`)
  const cause = new Error('encoded')
  const error = texts.redactError(new Error('about encoded', { cause })) as Error
  t.notMatch([error.message, error.stack, cause.message, cause.stack].join(), 'encoded')
  t.end()
})

void t.test('a value of a Secret that is a part of JSON does not change what an error is', (t) => {
  const texts = new SecretTexts()
  texts.note([{ kind: 'Secret', stringData: { a: '"reason":', b: 'hunter2' } }])
  const status = {
    code: 409,
    reason: 'Conflict',
    message: 'hunter2',
    details: { causes: [{ field: 'hunter2' }] },
  }
  const error = texts.redactError(new ApiError(status)) as ApiError
  t.match(error, { code: 409, reason: 'Conflict', message: '[secret]' })
  t.notMatch(JSON.stringify(error.status), 'hunter2')
  t.end()
})

void t.test('a log line has no value of a Secret in lists and objects either', (t) => {
  const texts = new SecretTexts()
  texts.note([{ kind: 'Secret', stringData: { a: 'hunter2' } }])
  t.same(texts.redactValue({ list: ['is hunter2', 7], none: null }), { list: ['is [secret]', 7], none: null })
  t.end()
})

void t.test('no message is shown if there are too many values to mask each', (t) => {
  const texts = new SecretTexts('hello')
  for (let index = 0; index < 200_000; index++) texts.noteText(`hunter${index}`)
  const shown = /^this message is not shown, because it may contain secret values/
  for (const message of ['is hunter7', 'is hunter199999', 'hello']) t.match(texts.redact(message), shown)
  const error = texts.redactError(new Error('is hunter7')) as Error
  t.notMatch([error.message, error.stack].join(), 'hunter7')
  t.match(texts.redactValue({ list: ['hunter7'] }), { list: [shown] })
  const status = {
    code: 404,
    reason: 'NotFound',
    message: 'hunter7',
    details: { kind: 'namespaces', name: 'hunter7' },
  }
  const refused = texts.redactError(new ApiError(status)) as ApiError
  t.match(refused.status, {
    reason: 'NotFound',
    message: shown,
    details: { kind: 'namespaces', name: shown },
  })
  t.end()
})

void t.test('the files of a release are masked', (t) => {
  const texts = new SecretTexts()
  const file = (index: number) =>
    Array.from({ length: 120 }, (_, line) => `  key-${line}: "value ${index} of hunter2"`).join('\n')
  texts.note(
    Array.from({ length: 20 }, (_, index) => ({ kind: 'Secret', stringData: { file: file(index) } })),
  )
  t.equal(texts.redact('revision 2'), 'revision 2')
  t.notMatch(texts.redact(`is ${file(7)}`), 'hunter2')
  t.end()
})

void t.test('a value that is longer than any message is masked by its beginning and its lines', (t) => {
  const texts = new SecretTexts()
  const lines = Array.from({ length: 40_000 }, (_, index) => `the line ${index} of hunter2`)
  texts.note([{ kind: 'Secret', stringData: { a: lines.slice(0, 10_000).join('\n') } }])
  t.equal(texts.redact(`is ${lines[9_999]}!`), 'is [secret]!')
  t.notMatch(texts.redact(`is ${lines.join('\n')}`), 'hunter2')
  texts.note([{ kind: 'Secret', stringData: { a: lines.join('\n') } }])
  t.match(texts.redact('is it'), /^this message is not shown/)
  t.end()
})

void t.test(
  'a record cannot hide its Secrets by a field of its own, and is named if it is damaged',
  async (t) => {
    const secretTexts = new SecretTexts()
    const manifest = `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: ${password}}\n`
    const record = { name: 'hello', namespace: 'default', version: 1, hooks: [], manifest, objects: [] }
    await noteSecrets({ secretTexts }, record as never)
    t.equal(secretTexts.redact(password), '[secret]')
    await t.rejects(noteSecrets({ secretTexts }, { ...record, manifest: 'a: [' } as never), {
      message: /^the Secret default\/sh\.helm\.release\.v1\.hello\.v1 cannot be read/,
    })
  },
)
