// Tests the conditions of errors: each one that somebody has to act on has a reason of its own.
import t from 'tap'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import { functionChart } from '../../chart/function-chart.js'
import { decodeRelease, encodeRelease } from '../../release/encode-release.js'
import { ReleaseTooLargeError } from '../../release/fit-release.js'
import { TooManyRecordsError } from '../../release/record-budget.js'
import { UnreadableReleaseError } from '../../release/unreadable-release.js'
import { RenderError } from '../../render/render-error.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { IrreconcilableError, ValuesError } from '../problem/problem.js'
import { conditionOf, create, edit, find, start, until } from '../reconciled.fixture.js'
import { noObjectsText, report } from './report.js'

/** The conditions that an error sets. */
function reported(error: unknown): string[] {
  const conditions: string[] = []
  const ctx = {
    condition: (type: string, status: boolean, reason: string, message?: string) =>
      conditions.push(`${type}=${status} ${reason}: ${message}`),
  }
  report(
    { ctx, release: { namespace: 'ns', name: 'demo' } } as unknown as Parameters<typeof report>[0],
    error,
  )
  return conditions
}

void t.test('an error that somebody has to act on is the condition Irreconcilable with its reason', (t) => {
  const reasons: [unknown, string][] = [
    [new IrreconcilableError('NotAllowed', 'x'), 'NotAllowed: x'],
    [new RenderError('RenderError', 'x'), 'RenderError: x'],
    [new ReleaseTooLargeError('x'), 'ReleaseTooLarge: x'],
    [new UnreadableReleaseError('x'), 'ErrorGettingReleaseState: x'],
    [new ValuesError('x'), 'ErrorGettingValues: x'],
    [new ApiError({ code: 403, reason: 'Forbidden', message: 'x' }), 'ReconcileError: x'],
  ]
  for (const [error, text] of reasons) t.strictSame(reported(error), [`Irreconcilable=true ${text}`])
  t.match(reported(new TooManyRecordsError('ns/demo')), [
    /^Irreconcilable=true TooManyRecords: the records of the release ns\/demo have more than 128 MiB/,
  ])
  t.strictSame(reported(new Error('connection reset')), [], 'it passes by itself')
  t.end()
})

void t.test(
  'a record that is damaged, and values that code cannot make, are in the status until they are mended',
  async (t) => {
    let isReady = false
    const translateValues = () => {
      if (!isReady) throw new Error('the list of images is not there')
      return { text: 'one' }
    }
    const test = await start(t, { translateValues })
    const irreconcilable = () => conditionOf(test, 'Irreconcilable')
    const metadata = {
      namespace: 'default',
      name: 'sh.helm.release.v1.hello.v1',
      labels: { owner: 'helm', name: 'hello' },
    }
    await test.client.create(secrets, { metadata, type: 'helm.sh/release.v1', data: { release: 'AAAA' } })
    await create(test, {})
    const seen = async (reason: string) => {
      while ((await irreconcilable())?.reason !== reason)
        await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await seen('ErrorGettingReleaseState')
    t.match(
      (await irreconcilable())?.message,
      /^the Secret default\/sh.helm.release.v1.hello.v1 cannot be read/,
    )
    await test.client.delete(secrets, metadata)
    await seen('ErrorGettingValues')
    t.equal((await irreconcilable())?.message, 'translateValues failed: the list of images is not there')
    isReady = true
    await seen('Reconciled')
    t.match(await conditionOf(test, 'Deployed'), { status: 'True' })
    await test.client.delete(greetings, key)
    await test.settled()
  },
)

void t.test('a record with a damaged hook holds up a deletion until its Secret is gone', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  const record = { namespace: 'default', name: 'sh.helm.release.v1.hello.v1' }
  const { data = {} } = await test.client.get(secrets, record)
  const text = Buffer.from(data.release ?? '', 'base64').toString()
  const damaged = await encodeRelease({ ...(await decodeRelease(text)), hooks: [null] as never })
  const release = Buffer.from(damaged).toString('base64')
  await test.client.patch(secrets, record, { type: 'merge', body: { data: { release } } })
  await test.client.delete(greetings, key)
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'ErrorGettingReleaseState')
  t.equal(
    (await conditionOf(test, 'Irreconcilable'))?.message,
    'the Secret default/sh.helm.release.v1.hello.v1 cannot be read: it is not a record of Helm: hook 1 is not an object; restore the Secret, or delete it: ' +
      'objects that only it names then stay, delete them by hand',
  )
  await test.client.delete(secrets, record)
  await until(async () => (await find(test, greetings)) === undefined)
  await until(async () => (await find(test, configMaps)) === undefined)
})

void t.test('the condition Deployed says that a chart rendered no objects', async (t) => {
  const empty = functionChart({ name: 'empty', version: '1.0.0' }, ({ hook }, { name }) => {
    const { metadata, ...rest } = configMap(name, {})
    const annotations = { 'helm.sh/hook': 'post-install,post-upgrade' }
    return hook ? [{ ...rest, metadata: { ...metadata, annotations } }] : []
  })
  const test = await start(t, { chart: empty })
  await create(test, {})
  await test.settled()
  t.match(await conditionOf(test, 'Deployed'), { message: /^revision 1; the chart rendered no objects$/ })
  await edit(test, { spec: { hook: true } })
  await test.settled()
  const message = 'revision 2; the chart rendered no objects except hooks'
  t.match(await conditionOf(test, 'Deployed'), { status: 'True', message })
})

void t.test('a chart that has only definitions rendered no other objects', async (t) => {
  const files = [{ name: 'crds/things.yaml', data: '' }]
  const revision = (hooks: unknown[]) => ({ release: { hooks, chart: { files } } }) as never
  t.equal(noObjectsText(revision([])), '; the chart rendered no objects except the definitions in crds/')
  t.equal(
    noObjectsText(revision([{}])),
    '; the chart rendered no objects except hooks and the definitions in crds/',
  )
  t.equal(noObjectsText(revision([]), { crds: 'skip' }), '; the chart rendered no objects')
})
