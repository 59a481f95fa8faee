import t from 'tap'
import { secrets } from '../../engine/kube/builtin.js'
import { webhookRules } from './webhook-rules.js'

const at = { name: 'keys', namespace: 'system' }

void t.test('webhooks with certificates of others may only read what they ask for', (t) => {
  t.strictSame(webhookRules({ kinds: [], reads: [secrets] } as never, at), [
    { group: '', resource: 'secrets', verbs: ['list', 'watch'] },
  ])
  t.end()
})

void t.test('a certificate of its own needs one Secret by its name', (t) => {
  const rules = webhookRules({ kinds: [], certificate: 'selfSigned' } as never, at)
  t.strictSame(rules, [
    { group: '', resource: 'secrets', verbs: ['create'], namespace: 'system' },
    {
      group: '',
      resource: 'secrets',
      verbs: ['get', 'list', 'patch', 'watch'],
      namespace: 'system',
      names: ['keys-webhook-certificate'],
    },
  ])
  t.end()
})
