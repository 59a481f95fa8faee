import t from 'tap'
import * as z from 'zod'
import { configMaps, customResourceDefinitions } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import { accessRulesOf } from '../controller/access-rules.js'
import type { ControllerOptions } from '../controller/definition.js'
import { optional } from '../controller/owned.js'
import { watch } from '../controller/watch.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { merge, type RecordedOperator, recordedOperator } from '../recorded-operator.fixture.js'

const monitors = defineKind({
  group: 'monitoring.my.domain',
  version: 'v1',
  kind: 'Monitor',
  spec: z.object({ of: z.string() }),
})
const definition = crdOf(monitors)
const definitionKey = { namespace: '', name: definition.metadata.name ?? '' }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn()
}

const isThere = (
  { client }: RecordedOperator,
  resource: typeof monitors | typeof configMaps | typeof backups,
) =>
  client.get(resource as typeof configMaps, key).then(
    () => true,
    (error: unknown) => !isNotFound(error) && Promise.reject(error),
  )

const monitored: ControllerOptions<Backup> = {
  owns: [configMaps, optional(monitors)],
  finalize: () => {},
  reconcile: async (ctx, { metadata, spec }) => {
    await ctx.apply(configMaps, { metadata: { ...key }, data: { size: `${spec.size}` } })
    if (ctx.serves(monitors))
      await ctx.apply(monitors, { metadata: { ...key }, spec: { of: metadata.name ?? '' } })
  },
}

void t.test(
  'a controller works without an optional kind, and uses it when it appears, goes and comes back',
  async (t) => {
    const test = await recordedOperator(t, monitored)
    await test.client.create(backups, backup(1))
    await until(() => isThere(test, configMaps))
    await test.client.create(customResourceDefinitions, definition)
    await until(() => isThere(test, monitors))
    await test.settled()
    await test.client.patch(monitors, key, merge({ spec: { of: 'hand' } }))
    await until(async () => (await test.client.get(monitors, key)).spec.of === key.name)
    await test.client.delete(customResourceDefinitions, definitionKey)
    await until(async () => !(await isThere(test, monitors)))
    await test.client.patch(backups, key, merge({ spec: { size: 2 } }))
    await until(async () => (await test.client.get(configMaps, key)).data?.size === '2')
    await until(() =>
      test.client.create(customResourceDefinitions, definition).then(
        () => true,
        () => false,
      ),
    )
    await until(() => isThere(test, monitors))
  },
)

void t.test('an object can be deleted while an optional kind is not served', async (t) => {
  const test = await recordedOperator(t, monitored)
  await test.client.create(backups, backup(1))
  await until(() => isThere(test, configMaps))
  await test.client.delete(backups, key)
  await until(async () => !(await isThere(test, backups)))
  t.pass('it is gone')
})

void t.test('an apply of an optional kind that is not served says what to do', async (t) => {
  const errors: unknown[] = []
  const test = await recordedOperator(t, {
    ...monitored,
    owns: [optional(monitors)],
    watches: [watch(configMaps, { keys: () => [], optional: true })],
    reconcile: async (ctx) => {
      t.ok(ctx.serves(configMaps))
      t.throws(
        () => ctx.serves(backups),
        /controller backups declares no backups\.cache\.my\.domain of cluster main/,
      )
      await ctx
        .apply(monitors, { metadata: { ...key }, spec: { of: 'x' } })
        .catch((error) => errors.push(error))
    },
  })
  await test.client.create(backups, backup(1))
  await test.settled()
  t.match(errors[0], {
    message: /main does not serve monitors\.monitoring\.my\.domain.*ask ctx\.serves first/,
  })
})

void t.test('an optional kind needs the permissions of any other', (t) => {
  const rules = accessRulesOf(backups, monitored)
  t.match(
    rules.find(({ resource }) => resource === 'monitors'),
    { group: 'monitoring.my.domain', verbs: ['get', 'list', 'watch', 'create', 'delete', 'patch'] },
  )
  t.end()
})
