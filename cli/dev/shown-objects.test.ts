import t from 'tap'
import { ShownObjects } from './shown-objects.js'

void t.test('an object that an operator does not handle in time has an error of its own', async (t) => {
  const shown = new ShownObjects({ objectChanged() {} })
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    code: 'NOT_READY',
    message:
      /^main Backup default\/daily is not ready: .* within 30 s; see the program's log with --verbose$/,
  })
})
