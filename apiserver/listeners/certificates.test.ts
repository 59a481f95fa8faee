import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { createAuthority } from './certificates.js'

void t.test('the certificate of a server is valid for the host that it listens at', async (t) => {
  const authority = createAuthority('test')
  const at = (host: string) => new X509Certificate(authority.server(host).certificate)
  t.equal(at('my-host.example.com').checkHost('my-host.example.com'), 'my-host.example.com')
  t.equal(at('localhost').checkHost('localhost'), 'localhost')
  for (const host of ['10.1.2.3', '::', '::1', '2001:db8::12:abcd', 'fe80:0:0:1:2:3:4:5', '::ffff:10.1.2.3'])
    t.equal(at(host).checkIP(host), host)
  t.equal(at('fe80::1%eth0').checkIP('fe80::1'), 'fe80::1')
  for (const address of ['127.0.0.1', '::1']) t.equal(at('my-host').checkIP(address), address)
  t.equal(at('2001:db8::1').checkIP('2001:db8::2'), undefined)
})
