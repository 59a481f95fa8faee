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

const invalid = 'FieldValueInvalid'
const forbidden = 'FieldValueForbidden'

/** A refusal of causes: a reason and a message, of the field `spec.a` by default. */
const refusal = (...causes: [reason: string | undefined, message: string, field?: string][]) =>
  new ApiError({
    kind: 'Status',
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    details: {
      causes: causes.map(([reason, message, field = 'spec.a']) => ({
        field,
        message,
        ...(reason !== undefined && { reason }),
      })),
    },
  })

void t.test('a refusal because of immutable fields is recognised', (t) => {
  const messages: [reason: string, message: string][] = [
    [invalid, 'Invalid value: "x": field is immutable'],
    [forbidden, 'Forbidden: field is immutable'],
    [forbidden, "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden"],
    [forbidden, 'Forbidden: spec is immutable after creation except resources.requests\n@@ -1 +1 @@'],
    [invalid, 'Invalid value: {"kind":"Role"}: cannot change roleRef'],
    [forbidden, 'Forbidden: field is immutable when `immutable` is set'],
  ]
  for (const cause of messages) t.ok(isImmutable(refusal(cause)), cause[1])
  t.ok(isImmutable(refusal(...messages)), 'all of them')
  t.end()
})

void t.test('a refusal for another reason deletes nothing', (t) => {
  const immutable = 'Invalid value: "x": field is immutable'
  t.notOk(
    isImmutable(refusal([invalid, 'Invalid value: "Forbidden: spec is immutable after creation except a"'])),
  )
  t.notOk(isImmutable(refusal([invalid, immutable], ['FieldValueRequired', 'Required value'])))
  t.notOk(isImmutable(refusal([invalid, 'Invalid value: "field is immutable": must be a number'])))
  for (const reason of ['FieldValueNotFound', 'FieldValueNotSupported', 'FieldValueTooLong', undefined])
    t.notOk(isImmutable(refusal([reason, immutable])), String(reason))
  const updates = 'Forbidden: updates to provisioner are forbidden.'
  t.ok(isImmutable(refusal([forbidden, updates])))
  t.notOk(isImmutable(refusal([invalid, updates])), 'the words of another reason')
  t.notOk(isImmutable(refusal([invalid, immutable, 'metadata.uid'])), 'a new object does not help')
  t.ok(isImmutable(refusal([invalid, immutable, 'metadataOf'])))
  t.notOk(isImmutable(refusal()))
  t.notOk(isImmutable(new Error('field is immutable')))
  t.end()
})
