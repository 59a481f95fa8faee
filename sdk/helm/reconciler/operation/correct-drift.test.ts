// Tests what makes a revision: changes of objects do, and other texts of the same objects do not.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { ReleaseStore } from '../../release/release-store.js'
import { prerendered } from '../../render/code/prerendered.js'
import { key } from '../greetings.fixture.js'
import { create, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: hello
  labels: {tier: web}
data:
  number: "1"
  text: one
`
const otherText = `# a comment
kind: ConfigMap
apiVersion: v1
data: {text: 'one', number: '1'} # and one more
metadata: {labels: {tier: web}, name: hello}
`

/** Runs the operator with a chart of this text until it rests; returns the version of the server then. */
async function run(t: Test, server: Awaited<ReturnType<typeof createApiServer>>, manifest: string) {
  const chart = prerendered({ name: 'greeter', version: '1.0.0' }, manifest)
  const test = await start(t, { chart }, { servers: { main: server } })
  if (!(await find(test, configMaps))) await create(test)
  await test.settled()
  const seen = await history(test)
  await test.stop()
  return { seen, version: server.resourceVersion }
}

void t.test('comments and the order of keys make no revision, and a label does', async (t) => {
  const server = await createApiServer({})
  const first = await run(t, server, text)
  t.strictSame(first.seen, ['1 deployed'])
  const second = await run(t, server, otherText)
  t.strictSame(second, first, 'nothing was written')
  const third = await run(t, server, text.replace('tier: web', 'tier: front'))
  t.strictSame(third.seen, ['1 superseded', '2 deployed'])
})

void t.test('with report, drift is reported and left', async (t) => {
  const test = await start(t, { driftDetection: 'report' })
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'edited' } } })
  await test.settled()
  t.strictSame(await eventsOf(test, 'Drift'), ['ConfigMap default/hello was changed at data.text'])
  t.match(await find(test, configMaps), { data: { text: 'edited' } })
  t.strictSame(await eventsOf(test, 'DriftCorrected'), [])
})

void t.test('without watches, a deleted object is made again within the period', async (t) => {
  const test = await start(t, { watchDependentResources: false, reconcilePeriodMs: 100 })
  await create(test, { text: 'one' })
  await until(async () => (await history(test)).join() === '1 deployed')
  const before = (await find(test, configMaps))?.metadata.uid
  await test.client.delete(configMaps, key)
  await until(async () => ![undefined, before].includes((await find(test, configMaps))?.metadata.uid))
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('the policy that helm writes into the record of a hook makes no revision', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'test' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [deployed] = await store.revisions('default', 'hello')
  if (!deployed) throw new Error('there is no release')
  const { release } = deployed
  // As `helm test` does it.
  const ran = { last_run: { phase: 'Succeeded' }, delete_policies: ['before-hook-creation'] } as const
  const hooks = release.hooks.map((hook) => ({ ...hook, ...ran }))
  await store.update({ ...deployed, written: undefined, release: { ...release, hooks } })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  t.strictSame(await eventsOf(test, 'ForeignRevision'), [])
})
