import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { reservePort } from './reserve-port.js'

void t.test('a reserved port cannot be taken by others until it is released', async (t) => {
  const reserved = await reservePort(0, '--x-port')
  await t.rejects(reservePort(reserved.port, '--x-port'), {
    code: 'CANNOT_LISTEN',
    message: `port ${reserved.port} is in use; stop the program that listens on it, or choose another port with --x-port`,
  })
  await reserved.release()
  const server = createServer().listen(reserved.port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
})
