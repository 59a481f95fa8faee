// Tests that hooks touch no object of others, and hooks that can never run.
import t from 'tap'
import { configMaps, secrets, serviceAccounts } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { account, annotationsOf, before, end, job, startWith } from '../hooked.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, until } from '../reconciled.fixture.js'

for (const kind of ['ConfigMap', 'Secret'] as const)
  for (const options of [{}, { allow: {} }])
    void t.test(`a hook leaves a foreign ${kind} as it is, with ${JSON.stringify(options)}`, async (t) => {
      const resource = kind === 'Secret' ? secrets : configMaps
      const metadata = { name: 'foreign', annotations: annotationsOf(before) }
      const hook = { apiVersion: 'v1', kind, metadata } as KubeObject
      const test = await startWith(t, [hook], { options: { ...options, reconcilePeriodMs: 5_000 } })
      const foreign = await test.client.create(
        resource as Resource,
        {
          apiVersion: 'v1',
          kind,
          metadata: { ...key, name: 'foreign' },
        } as KubeObject,
      )
      await create(test, { text: 'one' })
      await test.settled()
      t.match(await conditionOf(test, 'Irreconcilable'), {
        status: 'True',
        reason: 'NotOurs',
        message: new RegExp(`${kind} default/foreign`),
      })
      t.strictSame(await find(test, resource as Resource, 'foreign'), foreign)
      t.strictSame(await history(test), [], 'nothing was written')
    })

void t.test('an object that comes in between stops the hook', async (t) => {
  const test = await startWith(t, [job('first', before), account('second', before)])
  await create(test, { text: 'one' })
  await test.settled()
  const foreign = await test.client.create(serviceAccounts, { metadata: { ...key, name: 'second' } })
  await end(test, 'first', 'Complete')
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs' })
  t.equal((await find(test, serviceAccounts, 'second'))?.metadata.uid, foreign.metadata.uid)
})

void t.test('with takeOwnership, too, a hook leaves an object that no release has as it is', async (t) => {
  const test = await startWith(t, [account('hook', { events: 'pre-install' })], {
    options: { takeOwnership: true },
  })
  const foreign = await test.client.create(serviceAccounts, { metadata: { ...key, name: 'hook' } })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotOurs',
    message: /ServiceAccount default\/hook/,
  })
  t.equal((await find(test, serviceAccounts, 'hook'))?.metadata.uid, foreign.metadata.uid)
  await test.client.delete(serviceAccounts, { ...key, name: 'hook' })
  await until(async () => (await history(test))[0] === '1 deployed')
})

void t.test('a hook of another release is not touched, even with takeOwnership', async (t) => {
  const test = await startWith(t, [account('hook', { events: 'pre-install' })], {
    options: { takeOwnership: true },
  })
  const annotations = { 'vcluster-plugin-sdk/hook-release': 'default/other' }
  await test.client.create(serviceAccounts, { metadata: { ...key, name: 'hook', annotations } })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs' })
})

for (const [name, wrong] of Object.entries({ 'without a name': '', 'with the name ..': '..' }))
  void t.test(`a hook ${name} is refused before anything is written`, async (t) => {
    const test = await startWith(t, [configMap(wrong, {}, annotationsOf({ events: 'post-delete' }))])
    await create(test, { text: 'one' })
    await test.settled()
    t.match(await conditionOf(test, 'Irreconcilable'), {
      status: 'True',
      reason: 'RenderError',
      message: /hooked\/templates\/objects.yaml/,
    })
    t.strictSame(await history(test), [])
    await test.client.delete(greetings, key)
    await test.settled()
    t.equal(await find(test, greetings), undefined)
  })

void t.test(
  'a release of helm with a hook that can never run goes, and an Event names the hook',
  async (t) => {
    const test = await startWith(t, [])
    await create(test, { text: 'one' })
    await test.settled()
    const store = new ReleaseStore(test.client, Date.now)
    const [revision] = await store.revisions('default', 'hello')
    if (!revision) throw new Error('there is no revision')
    const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ..}\n'
    const hook = {
      name: '..',
      kind: 'ConfigMap',
      path: 'templates/a.yaml',
      manifest,
      events: ['post-delete'],
    }
    await test.client.delete(greetings, key)
    await store.update({ ...revision, release: { ...revision.release, hooks: [hook] } })
    await test.settled()
    t.equal(await find(test, greetings), undefined)
    t.match(await eventsOf(test, 'InvalidHook'), [/templates\/a.yaml .*"\.\."/])
  },
)

void t.test('an object that helm made as a hook is replaced', async (t) => {
  const test = await startWith(t, [account('hook', { events: 'pre-upgrade' })])
  await create(test, { text: 'one' })
  await test.settled()
  const made = await test.client.create(serviceAccounts, {
    metadata: { ...key, name: 'hook', annotations: annotationsOf({ events: 'pre-upgrade' }) },
  })
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(
    await conditionOf(test, 'Irreconcilable'),
    { status: 'True', reason: 'NotOurs' },
    'no record names it',
  )
  const store = new ReleaseStore(test.client, Date.now)
  const [revision] = await store.revisions('default', 'hello')
  if (!revision) throw new Error('there is no revision')
  const started_at = made.metadata.creationTimestamp ?? ''
  const hooks = revision.release.hooks.map((hook) => ({
    ...hook,
    last_run: { started_at, phase: 'Succeeded' as const },
  }))
  await store.update({ ...revision, release: { ...revision.release, hooks } })
  await edit(test, { spec: { text: 'three' } })
  await test.settled()
  t.not((await find(test, serviceAccounts, 'hook'))?.metadata.uid, made.metadata.uid)
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})
