import t from 'tap'
import { formatAddress, isLoopback, listenAddress } from './listen-address.js'

void t.test('an address has a port, and a host if one is named', (t) => {
  for (const [address, parsed] of Object.entries({
    '127.0.0.1:9443': { host: '127.0.0.1', port: 9443 },
    '[::1]:9443': { host: '::1', port: 9443 },
    ':9443': { port: 9443 },
  })) {
    t.strictSame(listenAddress('--webhook-address', address), parsed)
    t.equal(formatAddress(parsed), address)
  }
  t.notOk(isLoopback({ port: 9443 }), 'all addresses')
  for (const address of ['9443', 'localhost', 'localhost:', ':70000', ':a'])
    t.throws(() => listenAddress('--webhook-address', address), {
      code: 'INVALID_ADDRESS',
      message: `--webhook-address must be host:port, got "${address}": write for example 127.0.0.1:9090`,
    })
  t.throws(() => listenAddress('METRICS_ADDRESS', 'a', { canBeOff: true }), {
    message: /, or 0 to turn it off$/,
  })
  t.end()
})
