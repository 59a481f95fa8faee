import t from 'tap'
import { webhooksByEnvironment } from './webhooks-by-environment.js'

void t.test('the address of the environment replaces that of the options, also for all addresses', (t) => {
  const options = { kinds: [], host: '127.0.0.1', port: 1, url: 'https://127.0.0.1:1' }
  t.strictSame(webhooksByEnvironment(options, { WEBHOOK_ADDRESS: ':9443' }), { kinds: [], port: 9443 })
  t.strictSame(webhooksByEnvironment(options, { WEBHOOK_ADDRESS: '[::1]:9443' }), {
    kinds: [],
    host: '::1',
    port: 9443,
    drainMs: 0,
  })
  t.equal(webhooksByEnvironment(options, {}).host, '127.0.0.1')
  t.throws(() => webhooksByEnvironment(options, { WEBHOOK_ADDRESS: '0' }), {
    message: 'WEBHOOK_ADDRESS must be host:port, got "0": write for example 127.0.0.1:9090',
  })
  t.end()
})
