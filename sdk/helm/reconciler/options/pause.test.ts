// Tests that the option `paused` leaves releases as they are, and that a deletion is not paused.
import t from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'
import { pausedByAnnotation } from './pause.js'

const name = 'cache.example.com/pause'
const pause = async (test: TestOperator, value: string | null) => {
  await edit(test, { metadata: { annotations: { [name]: value } } })
  await test.settled()
}
const textOf = async (test: TestOperator) => (await find(test, configMaps))?.data?.text

void t.test('a paused release is left as it is, until it is not paused any more', async (t) => {
  const test = await start(t, { paused: pausedByAnnotation(name) })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Paused'), { status: 'False', reason: 'Reconciled' })
  await pause(test, 'true')
  const told = {
    status: 'True',
    reason: 'PauseReconcileAnnotationTrue',
    message: `the annotation ${name} is true`,
  }
  t.match(await conditionOf(test, 'Paused'), told)
  t.match(await conditionOf(test, 'Deployed'), { status: 'True' }, 'the others stay')
  await edit(test, { spec: { text: 'two' } })
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'by hand' } } })
  await test.settled()
  t.equal(await textOf(test), 'by hand')
  t.strictSame(await history(test), ['1 deployed'])
  for (const value of ['0', null]) {
    await pause(test, value)
    t.equal(await textOf(test), 'two')
    t.match(await conditionOf(test, 'Paused'), { status: 'False' })
  }
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})

void t.test('a function that fails pauses, and says so', async (t) => {
  const test = await start(t, { paused: pausedByAnnotation(name) })
  await create(test, { text: 'one' }, { [name]: 'yes' })
  await test.settled()
  const message = `paused failed: the annotation ${name} has the value "yes"; use "true" or "false"`
  t.match(await conditionOf(test, 'Paused'), { status: 'True', reason: 'PauseFailed', message })
  t.strictSame(await eventsOf(test, 'PauseFailed'), [message])
  t.strictSame(await history(test), [])
})

void t.test('a paused object can be deleted, with its release', async (t) => {
  let isPaused = false
  const test = await start(t, { paused: () => isPaused })
  await create(test, { text: 'one' })
  await test.settled()
  isPaused = true
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'Paused'), {
    status: 'True',
    reason: 'Paused',
    message: 'the program says so',
  })
  t.equal(await textOf(test), 'one')
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [])
  t.equal(await textOf(test), undefined)
})
