// Tests when the objects of hooks are deleted, and when hooks run again.
import t from 'tap'
import { configMaps, serviceAccounts } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { ReleaseStore } from '../../release/release-store.js'
import { greetings, key } from '../greetings.fixture.js'
import { account, annotationsOf, before, end, job, jobs, startWith } from '../hooked.fixture.js'
import { create, edit, eventsOf, find, history } from '../reconciled.fixture.js'

/** Notes the objects of hooks that are created and deleted. */
const noting =
  (noted: string[]) =>
  (transport: Transport): Transport => ({
    request: (call) => {
      const { kind, metadata } = call.method === 'POST' ? JSON.parse(String(call.body)) : ({} as KubeObject)
      if (metadata?.annotations?.['helm.sh/hook']) noted.push(`create ${kind} ${metadata.name}`)
      const gone = /(serviceaccounts|jobs)\/(.*?)(\?|$)/.exec(call.path)
      if (call.method === 'DELETE' && gone) noted.push(`delete ${gone[1]} ${gone[2]}`)
      return transport.request(call)
    },
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  })

void t.test('the objects of hooks go after the last hook of the event, in reverse', async (t) => {
  const noted: string[] = []
  const hooks = [job('hook', before), account('hook', before), account('kept', { events: 'pre-install' })]
  const test = await startWith(t, hooks, { wrap: noting(noted) })
  await create(test, { text: 'one' })
  await test.settled()
  t.ok(await find(test, serviceAccounts, 'hook'), 'the Job needs it')
  t.equal(await find(test, configMaps), undefined)
  await end(test, 'hook', 'Complete')
  await test.settled()
  t.strictSame(noted, [
    ...['create ServiceAccount hook', 'create Job hook', 'create ServiceAccount kept'],
    ...['delete jobs hook', 'delete serviceaccounts hook'],
  ])
  t.strictSame(await history(test), ['1 deployed'])
  t.ok(await find(test, serviceAccounts, 'kept'))
})

void t.test(
  'when a hook fails, those before it go by hook-succeeded, and it goes by hook-failed',
  async (t) => {
    const noted: string[] = []
    const hooks = [
      account('hook', before),
      job('hook', { ...before, policy: 'hook-failed' }),
      account('later', { ...before, weight: '1' }),
    ]
    const test = await startWith(t, hooks, { wrap: noting(noted), options: { onFailure: 'uninstall' } })
    await create(test, { text: 'one' })
    await test.settled()
    await end(test, 'hook', 'Failed')
    await test.settled()
    t.strictSame(noted.slice(0, 4), [
      ...['create ServiceAccount hook', 'create Job hook'],
      ...['delete serviceaccounts hook', 'delete jobs hook'],
    ])
    t.notOk(noted.includes('create ServiceAccount later'))
    const [revision] = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
    t.strictSame(
      revision?.release.hooks.map(({ kind, last_run }) => `${kind} ${last_run?.phase}`),
      ['ServiceAccount Succeeded', 'Job Failed', 'ServiceAccount undefined'],
    )
  },
)

void t.test('a Job with a lifetime gets it when its end is recorded', async (t) => {
  const test = await startWith(t, [job('hook', { events: 'pre-install' }, { ttlSecondsAfterFinished: 0 })])
  const lifetime = async () =>
    ((await find(test, jobs, 'hook')) as { spec?: { ttlSecondsAfterFinished?: number } } | undefined)?.spec
      ?.ttlSecondsAfterFinished
  await create(test, { text: 'one' })
  await test.settled()
  t.equal(await lifetime(), undefined, 'Kubernetes must not delete it before its end was seen')
  await end(test, 'hook', 'Complete')
  await test.settled()
  t.equal(await lifetime(), 0)
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('a release that is installed again runs its hooks again', async (t) => {
  const test = await startWith(t, [job('hook', { events: 'pre-install' })])
  const uids: (string | undefined)[] = []
  for (const _ of ['first', 'second']) {
    await create(test, { text: 'one' })
    await test.settled()
    uids.push((await find(test, jobs, 'hook'))?.metadata.uid)
    await end(test, 'hook', 'Complete')
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'])
    await test.client.delete(greetings, key)
    await test.settled()
    t.ok(await find(test, jobs, 'hook'), 'it stays, as with helm')
  }
  t.not(uids[0], uids[1])
})

void t.test('a hook that fails before a deletion runs again', async (t) => {
  const test = await startWith(t, [job('hook', { events: 'pre-delete' })])
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  const first = (await find(test, jobs, 'hook'))?.metadata.uid
  await end(test, 'hook', 'Failed')
  await test.settled()
  t.match(await eventsOf(test, 'UninstallFailed'), [/the hook Job default\/hook failed/])
  t.not((await find(test, jobs, 'hook'))?.metadata.uid, first)
  await end(test, 'hook', 'Complete')
  await test.settled()
  t.equal(await find(test, greetings), undefined)
})

void t.test('a list of a hook has all its objects', async (t) => {
  const items = ['one', 'two'].map((name) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
  }))
  const metadata = { name: 'list', annotations: annotationsOf({ events: 'pre-install' }) }
  const test = await startWith(t, [{ apiVersion: 'v1', kind: 'List', metadata, items } as KubeObject])
  await create(test, { text: 'one' })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  for (const { metadata } of items) t.ok(await find(test, serviceAccounts, metadata.name), metadata.name)
})

void t.test('an object that a hook changed before an upgrade is applied', async (t) => {
  const hooks = { text: '' }
  const whenHooked = (transport: Transport): Transport => ({
    request: async (call) => {
      const answer = await transport.request(call)
      if (hooks.text !== '' && call.method === 'POST' && String(call.body).includes('helm.sh/hook'))
        await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: hooks.text } } })
      return answer
    },
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  })
  const options = { driftDetection: 'off', reconcilePeriodMs: 0 } as const
  const test = await startWith(t, [account('hook', before)], { wrap: whenHooked, options })
  await create(test, { text: 'one' })
  await test.settled()
  hooks.text = 'of the hook'
  await edit(test, { spec: { text: 'one', more: 'values' } })
  await test.settled()
  t.strictSame((await history(test)).at(-1), '2 deployed')
  t.match(await find(test, configMaps), { data: { text: 'one' } })
})
