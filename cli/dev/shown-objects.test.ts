import t from 'tap'
import { LastErrors } from './last-errors.js'
import { ShownObjects } from './shown-objects.js'

void t.test('an object that an operator does not handle in time has an error of its own', async (t) => {
  const shown = new ShownObjects({ objectChanged() {}, lastErrors: new LastErrors() })
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    code: 'NOT_READY',
    message:
      /^main Backup default\/daily is not ready: .* within 30 s; see the program's log with --verbose$/,
  })
})

void t.test('the error names the last error of the object in the log', async (t) => {
  const lastErrors = new LastErrors()
  const shown = new ShownObjects({ objectChanged() {}, lastErrors })
  const said = (key: string, error: string) =>
    lastErrors.record({ level: 'error', entry: { message: 'reconciling failed', fields: { key, error } } })
  said('default/other', 'no disk')
  said('default/daily', 'no bucket')
  said('default/daily', 'no licence\n  at backup.ts:3')
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    message: /within 30 s, because of: no licence; see the program's whole log with --verbose$/,
  })
  // An error that is not a text is logged with its stack.
  const error = { type: 'Error', message: 'no backup', stack: 'Error: no backup\n  at backup.ts:3' }
  lastErrors.record({ level: 'error', entry: { message: 'failed', fields: { key: 'default/daily', error } } })
  t.equal(lastErrors.firstOf(['default/daily']), 'no backup')
  const message = 'values do not fit:\nweb:\n- at /replicas: got string'
  lastErrors.record({ level: 'warn', entry: { message, fields: { key: 'default/daily' } } })
  t.equal(
    lastErrors.firstOf(['default/x', 'default/daily']),
    'values do not fit: web: at /replicas: got string',
  )
  lastErrors.clear()
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    message: /30 s; see the program's log/,
  })
})
