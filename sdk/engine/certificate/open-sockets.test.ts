import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { makeHandshake, openConnection } from './late-handshake.fixture.js'
import { OpenSockets } from './open-sockets.js'
import { issueCertificate } from './serving-certificate.js'

void t.test('a server closes with a connection whose handshake has not begun', async (t) => {
  const names = { dnsNames: [], addresses: ['127.0.0.1'] }
  const { certificate: cert, key } = issueCertificate(names, { now: new Date(), lifeMs: 60_000 })
  const server = createServer({ cert, key })
  const sockets = new OpenSockets(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const socket = await openConnection((server.address() as AddressInfo).port)
  await accepted
  const closed = new Promise((resolve) => server.close(resolve))
  sockets.destroy()
  await t.rejects(makeHandshake(socket))
  await closed
})
