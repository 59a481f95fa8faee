import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { listenProblem } from './listen-problem.js'

void t.test('a port in use is described in words, without the address', async (t) => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  t.teardown(() => first.close())
  const { port } = first.address() as AddressInfo
  const second = createServer()
  const error = await new Promise<Error>((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'))
  t.equal(listenProblem(error), 'another program listens there (EADDRINUSE)')
})

void t.test('any other error has its own message', (t) => {
  t.equal(listenProblem(new Error('no')), 'no')
  t.end()
})
