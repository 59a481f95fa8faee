import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { ContestedFields } from '../../engine/controller/contested-fields.js'
import { configMaps, deployments, events } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { backup, backupDefinition, backups, key, memcached } from '../backups.fixture.js'
import { watch } from '../controller/watch.js'
import { controller } from '../engine/controller.js'
import { merge, pass } from '../recorded-operator.fixture.js'
import { changedPaths } from './changed-paths.js'
import { project } from './project.js'

/** A controller that forces a number of replicas into the Deployment of another one, as its ConfigMap says. */
const scaler = controller(configMaps, {
  name: 'scaler',
  watches: [watch(deployments, { keys: ({ metadata }) => [{ ...key, name: metadata.name ?? '' }] })],
  async reconcile(ctx, { data }) {
    const spec = { replicas: Number(data?.replicas) }
    const force = 'the scaler decides'
    if (spec.replicas > 0)
      await ctx.apply(deployments, { metadata: { name: key.name }, spec }, { shared: true, force })
  },
})

/** Both controllers in one program, with the writes of each to the Deployment. */
async function rivals(t: Tap) {
  const clock = new VirtualClock()
  const writes: string[] = []
  const wrap = (inner: Transport): Transport => ({
    request: (request) => {
      const [path = '', query = ''] = request.path.split('?')
      const isApply = path.endsWith('/deployments/daily') && request.method === 'PATCH'
      if (isApply && !query.includes('dryRun'))
        writes.push(new URLSearchParams(query).get('fieldManager') ?? '')
      return inner.request(request)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const register = (operator: { register(one: never): unknown }) => {
    operator.register(controller(backups, memcached) as never)
    operator.register(scaler as never)
  }
  const test = await testOperator(register, {
    name: 'rivals',
    definitions: [backupDefinition],
    logger: silentLogger,
    clock,
    wrap,
  })
  t.teardown(() => test.stop())
  return { ...test, clock, writes }
}
type Tap = { teardown(done: () => Promise<void>): void }

void t.test(
  'two controllers that force different values into one field do it more and more rarely',
  async (t) => {
    const { client, clock, writes } = await rivals(t)
    await client.create(backups, backup(3))
    await client.create(configMaps, { metadata: key, data: { replicas: '5' } })
    await pass(clock, 60)
    t.ok(writes.length <= 25, `${writes.length} writes in the first minute`)
    writes.length = 0
    await pass(clock, 1800)
    t.ok(writes.length <= 12, `${writes.length} writes in half an hour`)
    const { status } = await client.get(backups, key)
    const stalled = status?.conditions?.find(({ type }) => type === 'Stalled')
    t.match(stalled, {
      status: 'True',
      reason: 'FieldContested',
      message:
        /main deployments\.apps default\/daily: spec\.replicas is set to different values by rivals\.backups and by others .*conflict with "rivals\.scaler"/,
    })
    const { items } = await client.list(events, { namespace: 'default' })
    const told = items.filter(({ reason }) => reason === 'FieldContested')
    t.same(new Set(told.map(({ involvedObject }) => involvedObject.kind)), new Set(['Backup', 'ConfigMap']))

    await client.patch(configMaps, key, merge({ data: { replicas: '0' } }))
    await pass(clock, 2400)
    const settled = await client.get(backups, key)
    t.equal(
      (await client.get(deployments, key)).spec?.replicas,
      3,
      'the field is put right once the other one has stopped',
    )
    t.notOk(settled.status?.conditions?.some(({ type }) => type === 'Stalled'))
  },
)

void t.test('an object that another program deletes each time is created more and more rarely', async (t) => {
  const { client, clock } = await rivals(t)
  let deletions = 0
  const sweep = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await client.delete(deployments, key).then(
        () => deletions++,
        () => {},
      )
      await pass(clock, 1)
    }
  }
  await client.create(backups, backup(3))
  await pass(clock, 2)
  await sweep(60)
  t.ok(deletions >= 5 && deletions <= 12, `${deletions} deletions in the first minute`)
  deletions = 0
  await sweep(240)
  t.ok(deletions <= 6, `${deletions} in the next four`)
  const told = (await client.list(events, { namespace: 'default' })).items.filter(
    ({ reason }) => reason === 'FieldContested',
  )
  const message = /default\/daily is deleted by another program each time/
  t.match(told, [{ message }])
  const { status } = await client.get(backups, key)
  const stalled = status?.conditions?.find(({ type }) => type === 'Stalled')
  t.match(stalled, { status: 'True', reason: 'FieldContested', message })
  await pass(clock, 700)
  t.equal((await client.get(deployments, key)).spec?.replicas, 3, 'it exists when the other has left')
})

void t.test('each pause is longer than the last one, and quiet ends the contest', (t) => {
  let now = 0
  const contested = new ContestedFields({ now: () => now })
  const repair = () => {
    const may = contested.mayRepair('one', ['spec.replicas'])
    if (may) contested.recordRepair('one', ['spec.replicas'])
    return may
  }
  t.strictSame(Array.from({ length: 7 }, repair), [true, true, true, true, true, false, false])
  t.equal(contested.find('one'), undefined, 'the other manager is not known yet')
  t.strictSame(contested.unreported('one', ['spec.replicas', 'spec.paused']), ['spec.replicas'])
  contested.recordMessage('one', ['spec.replicas'], 'why')
  t.strictSame(contested.unreported('one', ['spec.replicas']), [])
  const pauses = Array.from({ length: 9 }, () => {
    const { resumeMs = 0 } = contested.find('one') ?? {}
    now += resumeMs - 1
    t.notOk(repair())
    now += 1
    t.ok(repair(), 'one repair shows whether it goes on')
    t.notOk(repair())
    return resumeMs / 1000
  })
  t.strictSame(pauses, [10, 20, 40, 80, 160, 320, 600, 600, 600])
  t.ok(contested.mayRepair('one', ['spec.paused']), 'other fields are not concerned')
  now += 1_300_000
  t.ok(repair())
  t.equal(contested.find('one'), undefined, 'the next contest is reported again')
  t.end()
})

void t.test('the fields that others have changed are named', (t) => {
  const intent = {
    a: 1,
    map: { x: 1, y: 2 },
    list: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
    scalars: [1],
  }
  const changed = (live: object) => changedPaths(project(intent, intent), project(intent, live))
  t.strictSame(changed(intent), [])
  t.strictSame(changed({ ...intent, a: 2, other: 1 }), ['a'])
  t.strictSame(changed({ ...intent, map: { x: 1 } }), ['map.y'])
  t.strictSame(changed({ ...intent, map: undefined }), ['map'])
  t.strictSame(changed({ ...intent, list: [intent.list[0], { name: 'b', port: 3 }] }), ['list[1].port'])
  t.strictSame(changed({ ...intent, list: intent.list.slice(1) }), ['list'])
  t.strictSame(changed({ ...intent, scalars: [1, 2] }), ['scalars'])
  t.end()
})
