import t from 'tap'
import { pods } from '../../engine/kube/builtin.js'
import { newEvents } from '../../engine/kube/builtin-events.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { backup, backups, key } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

void t.test('a rejected change of an owned Pod shows no values of its spec', async (t) => {
  const podOf = (size: number) => ({
    metadata: { name: 'copy' },
    spec: {
      containers: [{ name: 'copy', image: 'copy:1', env: [{ name: 'TOKEN', value: `s3cret-${size}` }] }],
    },
  })
  const lines: string[] = []
  const note = ({ error }: { error?: unknown }, message?: string) =>
    void lines.push(`${message} ${error instanceof Error ? (error.stack ?? '') : ''}`)
  const logger: Logger = { ...silentLogger, info: note, warn: note, error: note, child: () => logger }
  const test = await recordedOperator(
    t,
    { owns: [pods], reconcile: async (ctx, { spec }) => void (await ctx.apply(pods, podOf(spec.size))) },
    { logger },
  )
  await test.client.create(backups, backup(1))
  await test.settled()
  const quoted = await test.client
    .patch(pods, { ...key, name: 'copy' }, merge({ spec: podOf(2).spec }))
    .catch((error: unknown) => (error as { status: { message: string } }).status.message)
  t.match(quoted, /\n@@ -[\s\S]*s3cret-1[\s\S]*s3cret-2/, 'the API server quotes both')
  await test.client.patch(backups, key, merge({ spec: { size: 2 } }))
  await test.settled()
  const { status } = await test.client.get(backups, key)
  const stalled = status?.conditions?.find(({ type }) => type === 'Stalled')
  t.match(stalled, {
    reason: 'Rejected',
    message:
      /^the API server rejects Pod copy: spec: Forbidden: pod updates may not change fields other than [^\n]*$/,
  })
  const { items } = await test.client.list(newEvents, { namespace: 'default' })
  const notes = items.map((event) => String(event.note))
  t.ok(notes.some((text) => text.includes('pod updates may not change')))
  t.ok(lines.length > 0)
  t.notMatch([JSON.stringify(status), ...notes, ...lines].join('\n'), 's3cret')
})
