import t from 'tap'
import { isNotFound } from '../../engine/kube/error.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, type RecordedOperator, recordedOperator } from '../recorded-operator.fixture.js'

const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
const at = (size: number) => ({ ...key, name: `copy-${size}` })
const job = (size: number, ttl?: number) => ({
  metadata: { name: at(size).name },
  spec: {
    ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }),
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'copy', image: 'copy:1' }] } },
  },
})
const applying = (ttl?: number): ControllerOptions<Backup> => ({
  owns: [jobs],
  reconcile: async (ctx, { spec }) => void (await ctx.apply(jobs, job(spec.size, ttl))),
})
const status = {
  startTime: '2026-01-01T00:00:00Z',
  completionTime: '2026-01-01T00:01:00Z',
  succeeded: 1,
  conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' })),
}
const complete = ({ client }: RecordedOperator, size: number) =>
  client.patch(jobs, at(size), { ...merge({ status }), subresource: 'status' })
const isThere = ({ client }: RecordedOperator, size: number) =>
  client.get(jobs, at(size)).then(
    () => true,
    (error: unknown) => !isNotFound(error) && Promise.reject(error),
  )
const creations = ({ writes }: RecordedOperator, size: number) =>
  writes.filter((write) => write === `PATCH /apis/batch/v1/namespaces/default/jobs/${at(size).name}`).length

void t.test('a Job that has ended and is gone by its time to live is not made again', async (t) => {
  const test = await recordedOperator(t, applying(60))
  await test.client.create(backups, backup(1))
  await test.settled()
  await complete(test, 1)
  await test.settled()
  await test.client.delete(jobs, at(1))
  await test.settled()
  t.notOk(await isThere(test, 1))
  t.equal(
    (await test.client.get(backups, key)).metadata.annotations?.['cache.my.domain/finished-jobs'],
    '["main/default/copy-1"]',
  )
  await test.stop()
  const second = await recordedOperator(t, applying(60), { servers: { main: test.server } })
  await second.settled()
  t.notOk(await isThere(second, 1), 'nor after a restart')
  await second.client.patch(backups, key, merge({ spec: { size: 2 } }))
  await second.settled()
  t.ok(await isThere(second, 2), 'one of another name is')
})

void t.test('it is made again without the annotation, and for a new object of the same name', async (t) => {
  const test = await recordedOperator(t, applying(60))
  await test.client.create(backups, backup(1))
  await test.settled()
  await complete(test, 1)
  await test.client.delete(jobs, at(1), { propagationPolicy: 'Background' })
  await test.settled()
  t.notOk(await isThere(test, 1))
  const annotations = { 'cache.my.domain/finished-jobs': null }
  await test.client.patch(backups, key, merge({ metadata: { annotations } }))
  await test.settled()
  t.ok(await isThere(test, 1))
  await complete(test, 1)
  await test.settled()
  await test.client.delete(backups, key)
  await test.settled()
  await test.client.create(backups, backup(1))
  await test.settled()
  t.ok(await isThere(test, 1))
})

void t.test('a Job that was gone before a run saw its end is not made again', async (t) => {
  const test = await recordedOperator(t, applying(0))
  await test.client.create(backups, backup(1))
  await test.settled()
  await Promise.all([complete(test, 1), test.client.delete(jobs, at(1), { propagationPolicy: 'Background' })])
  await test.settled()
  t.notOk(await isThere(test, 1))
})

void t.test('a Job that was deleted before its end, or has no time to live, is made again', async (t) => {
  for (const ttl of [60, undefined]) {
    const test = await recordedOperator(t, applying(ttl))
    await test.client.create(backups, backup(1))
    await test.settled()
    if (ttl === undefined) await complete(test, 1)
    await test.client.delete(jobs, at(1))
    await test.settled()
    t.ok(await isThere(test, 1))
    t.equal(creations(test, 1), 2)
    await test.stop()
  }
})
