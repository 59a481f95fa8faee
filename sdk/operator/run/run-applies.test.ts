import t from 'tap'
import { type ConfigMap, configMaps, secrets } from '../../engine/kube/builtin.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { backup, backups, key } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

const settings = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  metadata: { name },
  data,
})
const at = (name: string) => ({ ...key, name })
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function warningsTo(warnings: string[]): Logger {
  const note = ({ error }: { error?: unknown }, message: string) =>
    void warnings.push(error === undefined ? message : `${message}: ${error}`)
  const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger }
  return logger
}

void t.test('calls of ctx.apply without await are waited for, and reported once', async (t) => {
  const warnings: string[] = []
  const test = await recordedOperator(
    t,
    {
      owns: [configMaps],
      reconcile: (ctx, { spec }) => {
        for (let n = 0; n < spec.size; n++)
          void ctx.apply(configMaps, settings(`of-${n}`, { size: `${spec.size}` }))
      },
    },
    { logger: warningsTo(warnings) },
  )
  await test.client.create(backups, backup(3))
  await test.settled()
  t.equal(warnings.length, 1)
  t.match(
    warnings[0],
    /returned before ctx\.apply had ended for .*default\/of-0, .*default\/of-2: await every call/,
  )
  await test.client.patch(backups, key, merge({ spec: { size: 2 } }))
  await test.settled()
  t.equal(warnings.length, 1)
  t.notOk(test.writes.some((write) => write === 'DELETE /api/v1/namespaces/default/configmaps/of-1'))
  const { items } = await test.client.list(configMaps, { namespace: key.namespace })
  const applied = items.filter(({ metadata }) => metadata.name?.startsWith('of-'))
  t.same(applied.map(({ metadata, data }) => `${metadata.name} ${data?.size}`).sort(), ['of-0 2', 'of-1 2'])
})

void t.test('ctx.apply throws after the end of its run', async (t) => {
  const errors: unknown[] = []
  const test = await recordedOperator(t, {
    owns: [configMaps],
    reconcile: async (ctx) => {
      await ctx.apply(configMaps, settings('in-time'))
      setTimeout(() => void ctx.apply(configMaps, settings('late')).catch((error) => errors.push(error)), 5)
    },
  })
  await test.client.create(backups, backup(1))
  while (errors.length === 0) await nextTurn()
  t.match(errors[0], {
    message: /configmaps default\/late was called after its run had ended: await every call/,
  })
  await test.settled()
  await t.rejects(test.client.get(configMaps, at('late')), { code: 404 })
  t.ok(await test.client.get(configMaps, at('in-time')))
})

void t.test(
  'an object that is applied twice with different fields is refused, with the same fields it is not',
  async (t) => {
    const test = await recordedOperator(t, {
      owns: [configMaps],
      reconcile: async (ctx, { spec }) => {
        await ctx.apply(configMaps, settings('same', { a: '1' }))
        await ctx.apply(configMaps, settings('same', { a: '1' }))
        await ctx.apply(configMaps, settings('twice', { a: '1' }))
        if (spec.size > 1) await ctx.apply(configMaps, settings('twice', { b: '2' }))
      },
    })
    await test.client.create(backups, backup(2))
    await test.settled()
    const { status } = await test.client.get(backups, key)
    t.match(
      status?.conditions?.find(({ type }) => type === 'Stalled'),
      {
        reason: 'Rejected',
        message: /default\/twice cannot be applied twice in one run with different fields/,
      },
    )
    const applies = test.writes.filter((write) => write.includes('configmaps')).length
    t.equal(applies, 2)
    await test.client.patch(backups, key, merge({ spec: { size: 1 } }))
    await test.settled()
    t.equal(
      (await test.client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Stalled'),
      undefined,
    )
  },
)

void t.test('a hand edit of stringData is undone, and a value that is left out goes', async (t) => {
  const test = await recordedOperator(t, {
    owns: [secrets],
    reconcile: async (ctx, { spec }) => {
      const stringData = spec.size > 1 ? { user: 'me', password: 'x' } : { user: 'me' }
      await ctx.apply(secrets, {
        metadata: { name: 'login' },
        data: { user: 'b3RoZXI=', more: 'YQ==\n' },
        stringData,
      })
    },
  })
  await test.client.create(backups, backup(2))
  await test.settled()
  const login = async () => (await test.client.get(secrets, at('login'))).data
  t.same(await login(), { user: 'bWU=', password: 'eA==', more: 'YQ==' })
  await test.client.patch(secrets, at('login'), merge({ data: { user: 'aGFuZA==', others: 'YQ==' } }))
  await test.settled()
  t.same(await login(), { user: 'bWU=', password: 'eA==', more: 'YQ==', others: 'YQ==' })
  await test.client.patch(backups, key, merge({ spec: { size: 1 } }))
  await test.settled()
  t.same(await login(), { user: 'bWU=', more: 'YQ==', others: 'YQ==' })
})
