// Tests the messages about objects that no API server takes.
import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import { backup, backups, key } from '../backups.fixture.js'
import { recordedOperator } from '../recorded-operator.fixture.js'
import { typedPatchError, typedPatchProblem } from './intent-error.js'

const refusal = (problems: string) => {
  const message = `failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${problems}`
  return typedPatchError('the status', new ApiError({ code: 500, message }))?.message
}

void t.test('a field that does not fit its schema is said in plain words, without its value', async (t) => {
  t.equal(
    refusal('.spec.ports[name="web"].port: expected numeric (int or float), got string'),
    'the status cannot be applied: spec.ports[name="web"].port must be a number; correct it in the controller',
  )
  t.equal(
    refusal(
      'errors:\n  .data.x: expected string, got &value.valueUnstructured{Value:1}\n  .a: expected map, got 5',
    ),
    'the status cannot be applied: data.x must be a string; a must be an object; correct it in the controller',
  )
  t.equal(
    refusal('.spec.replcas: field not declared in schema'),
    'the status cannot be applied: spec.replcas is not in the schema; correct the name of the field in the controller, or install the definition that has it',
  )
  t.equal(typedPatchError('the status', new ApiError({ code: 500, message: 'no disk' })), undefined)
})

void t.test('ctx.apply without an object says what to pass', async (t) => {
  let message = ''
  const { client, settled } = await recordedOperator(t, {
    owns: [deployments],
    async reconcile(ctx) {
      try {
        await ctx.apply(deployments, undefined as never)
      } catch (error) {
        message = String(error)
      }
    },
  })
  await client.create(backups, backup(1))
  await settled()
  t.ok(await client.get(backups, key))
  t.equal(
    message,
    'IntentError: Deployment cannot be applied: ctx.apply got undefined; pass an object with metadata.name',
  )
})

void t.test('an object that does not fit its schema is named by its kind, without the cluster', async (t) => {
  let message = ''
  const { client, settled } = await recordedOperator(t, {
    owns: [deployments],
    async reconcile(ctx) {
      try {
        await ctx.apply(deployments, { metadata: { name: 'web' }, spec: { replicas: 'two' } } as never)
      } catch (error) {
        message = String(error)
      }
    },
  })
  await client.create(backups, backup(1))
  await settled()
  t.equal(
    message,
    'IntentError: Deployment default/web cannot be applied: spec.replicas must be a number; correct it in the controller',
  )
})

void t.test('a message of another server that begins again and again is read in linear time', async (t) => {
  const message = 'failed to create typed patch object ('.repeat(100_000)
  t.equal(typedPatchProblem(new ApiError({ code: 500, message })), undefined)
})
