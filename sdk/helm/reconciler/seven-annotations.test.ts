// Tests the effect of the annotations that users may set by default: descriptions, and hooks that do not run.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import { functionChart } from '../chart/function-chart.js'
import { ReleaseStore } from '../release/release-store.js'
import { configMap, greetings, key } from './greetings.fixture.js'
import { create, edit, find, history, start } from './reconciled.fixture.js'

const name = (annotation: string) => `helm.sdk.operatorframework.io/${annotation}`
const events = ['pre-install', 'post-upgrade', 'pre-delete']
const hooked = functionChart({ name: 'hooked', version: '1.0.0' }, ({ text }, release) => [
  configMap(release.name, { text: String(text) }),
  ...events.map((event) => configMap(`${release.name}-${event}`, {}, { 'helm.sh/hook': event })),
])

void t.test('hooks do not run with the annotations that disable them, and do without', async (t) => {
  for (const isDisabled of [true, false]) {
    const annotations = Object.fromEntries(
      ['install', 'upgrade', 'uninstall'].map((one) => [name(`${one}-disable-hooks`), String(isDisabled)]),
    )
    const test = await start(t, { chart: hooked })
    await create(test, { text: 'one' }, annotations)
    await test.settled()
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 deployed'])
    await test.client.delete(greetings, key)
    await test.settled()
    const ran = await Promise.all(events.map((event) => find(test, configMaps, `hello-${event}`)))
    t.strictSame(
      ran.map((made) => made === undefined),
      events.map(() => isDisabled),
      `disabled: ${isDisabled}`,
    )
  }
})

void t.test('a revision has the description of its operation', async (t) => {
  const test = await start(t)
  const described = async () => {
    await test.settled()
    const revisions = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
    return revisions.at(-1)?.release.info.description
  }
  const annotations = Object.fromEntries(
    ['install', 'upgrade', 'uninstall'].map((one) => [name(`${one}-description`), `by ${one}`]),
  )
  await create(test, { text: 'one', hook: 'pre-delete' }, annotations)
  t.equal(await described(), 'by install')
  await edit(test, { spec: { text: 'two' } })
  t.equal(await described(), 'by upgrade')
  await test.client.delete(greetings, key)
  t.equal(await described(), 'by uninstall', 'while its hook runs')
})
