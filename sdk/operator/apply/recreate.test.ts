import t from 'tap'
import { ApiError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'
import { isImmutable } from './is-immutable.js'

const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
const container = (size: number) => ({ name: 'job', image: `job:${size}` })
const job = (size: number) =>
  ({
    metadata: { name: key.name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container(size)] } } },
  }) as KubeObject

const applying = (recreate: boolean): ControllerOptions<Backup> => ({
  owns: [jobs],
  reconcile: async (ctx, { spec }) => void (await ctx.apply(jobs, job(spec.size), { recreate })),
})

void t.test(
  'an object with immutable fields is deleted and created again, if that is asked for',
  async (t) => {
    const test = await recordedOperator(t, applying(true))
    await test.client.create(backups, backup(1))
    await test.settled()
    const { uid } = (await test.client.get(jobs, key)).metadata
    await test.client.patch(backups, key, merge({ spec: { size: 2 } }))
    const isNew = () =>
      test.client.get(jobs, key).then(
        ({ metadata }) => metadata.uid !== uid,
        () => false,
      )
    while (!(await isNew())) await new Promise((resolve) => setImmediate(resolve))
    await test.settled()
    t.match(await test.client.get(jobs, key), {
      spec: { template: { spec: { containers: [{ image: 'job:2' }] } } },
    })
    const { status } = await test.client.get(backups, key)
    t.match(status, { observedGeneration: 2 })
    t.equal(test.writes.filter((write) => write.startsWith('DELETE')).length, 1)
  },
)

void t.test('without that it stays, and the refusal is reported', async (t) => {
  const test = await recordedOperator(t, applying(false))
  await test.client.create(backups, backup(1))
  await test.settled()
  const { uid } = (await test.client.get(jobs, key)).metadata
  await test.client.patch(backups, key, merge({ spec: { size: 2 } }))
  const stalled = async () =>
    (await test.client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Stalled')
  while (!(await stalled())) await new Promise((resolve) => setImmediate(resolve))
  t.match(await stalled(), { reason: 'Rejected', message: /field is immutable/ })
  t.equal((await test.client.get(jobs, key)).metadata.uid, uid)
})

void t.test('a refusal for another reason deletes nothing', (t) => {
  const refused = (...messages: string[]) =>
    new ApiError({
      kind: 'Status',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      details: { causes: messages.map((message) => ({ field: 'spec.a', message })) },
    })
  t.ok(isImmutable(refused('Invalid value: "x": field is immutable')))
  t.ok(
    isImmutable(
      refused("Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden"),
    ),
  )
  for (const message of [
    'Forbidden: spec is immutable after creation except resources.requests\n@@ -1 +1 @@',
    'Invalid value: {"kind":"Role"}: cannot change roleRef',
    'Forbidden: field is immutable when `immutable` is set',
  ])
    t.ok(isImmutable(refused(message)), message)
  t.notOk(isImmutable(refused('Invalid value: "Forbidden: spec is immutable after creation except a"')))
  t.notOk(isImmutable(refused('Invalid value: "x": field is immutable', 'Required value')))
  t.notOk(isImmutable(refused('Invalid value: "field is immutable": must be a number')))
  t.notOk(isImmutable(refused()))
  t.notOk(isImmutable(new Error('field is immutable')))
  t.end()
})
