import t from 'tap'
import { logAdvice } from './hook-log-advice.js'

const job = { kind: 'Job', name: 'migrate' }

void t.test('the advice is the command for the log, unless the policy deletes the object', async (t) => {
  t.equal(logAdvice({}, { ...job, namespace: 'web' }), 'see: kubectl logs -n web job/migrate')
  t.equal(logAdvice({ delete_policies: ['hook-succeeded'] }, job), 'see: kubectl logs job/migrate')
  t.match(
    logAdvice({ delete_policies: ['hook-failed'] }, job),
    /^its log is deleted with it: .* hook-failed from/,
  )
})
