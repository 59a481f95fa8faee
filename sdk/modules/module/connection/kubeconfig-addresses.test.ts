// Tests the addresses that kubeconfigs of users may lead to.
import t from 'tap'
import { kubeconfigAddresses } from './kubeconfig-addresses.js'

const local = [
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '100.100.100.200'],
  ...['::1', '::', 'fe80::1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', 'fd00:ec2::254', 'fd20:ce::254'],
  ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::', '64:ff9b::6464:64c8', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002::1'],
]
const others = [
  '10.96.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '203.0.113.7',
  '2001:db8::1',
  'fd00::1',
  '64:ff9b::a60:1',
]

void t.test('loopback and link-local addresses are not allowed, private ones are', (t) => {
  const allows = kubeconfigAddresses()
  t.strictSame(local.filter(allows), [])
  t.strictSame(others.filter(allows), others)
  t.end()
})

void t.test('networks can be allowed', (t) => {
  const allows = kubeconfigAddresses({ networks: ['127.0.0.0/8', '::1/128'] })
  t.strictSame(local.filter(allows), ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
  t.throws(() => kubeconfigAddresses({ networks: ['localhost'] }), /kubeconfigs.networks: must be networks/)
  t.end()
})
