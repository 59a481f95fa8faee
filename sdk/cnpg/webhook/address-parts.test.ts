import t from 'tap'
import { addressParts } from './address-parts.js'

void t.test('an address has a port, and a host if one is named', (t) => {
  t.strictSame(addressParts('127.0.0.1:9443'), { host: '127.0.0.1', port: 9443 })
  t.strictSame(addressParts('[::1]:9443'), { host: '::1', port: 9443 })
  t.strictSame(addressParts(':9443'), { port: 9443 })
  for (const address of ['9443', 'localhost', 'localhost:', ':70000', ':a'])
    t.throws(() => addressParts(address), {
      code: 'INVALID_ADDRESS',
      message: `--webhook-address must be host:port, got "${address}"`,
    })
  t.end()
})
