import t from 'tap'
import { LastErrors } from '../last-errors.js'
import { failureText } from './failure-text.js'

void t.test('a call of the plugin that failed is reported with the error of its log', async (t) => {
  const errors = new LastErrors()
  const error = { message: "reading 'x'", stack: 'TypeError' }
  errors.record({ level: 'error', entry: { message: 'a hook threw an error', fields: { error } } })
  const words =
    'Cluster cannot proceed: rpc error: code = Internal desc = plugin web.example.com failed in OperatorLifecycle/LifecycleHook (TypeError); the log of the plugin has the message; the operator reconciles again after 15 s'
  t.equal(
    failureText(words, errors.withoutKey),
    "plugin web.example.com failed in OperatorLifecycle/LifecycleHook: reading 'x'; the log above has the place",
  )
  t.equal(failureText(words, undefined), words)
  t.equal(failureText('Pod db-1 would restart', errors.withoutKey), 'Pod db-1 would restart')
  errors.clear()
  t.equal(errors.withoutKey, undefined)
})
