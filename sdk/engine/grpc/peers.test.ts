/** The client and the server with those of another implementation, `@grpc/grpc-js`. */
import {
  Client,
  compressionAlgorithms,
  credentials,
  type Deadline,
  type MethodDefinition as PeerMethod,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { GrpcClient } from './client.js'
import { GrpcError } from './grpc-error.js'
import { GrpcServer } from './server.js'
import { type Method, methodsOf } from './service.js'
import { TestDefinition } from './test-service.fixture.js'

const { ask, follow } = methodsOf(TestDefinition)
const host = '127.0.0.1'

/** A method as grpc-js describes it. */
const peerMethod = (method: Method<string, string>): PeerMethod<string, string> => ({
  path: method.path,
  requestStream: method.requestStream,
  responseStream: method.responseStream,
  requestSerialize: method.encodeRequest,
  requestDeserialize: method.decodeRequest,
  responseSerialize: method.encodeResponse,
  responseDeserialize: method.decodeResponse,
})

async function serve(t: Test) {
  const server = new GrpcServer({ maxRequestBytes: 8 * 2 ** 20 })
  server.serve(TestDefinition, {
    async ask(request, { signal }) {
      if (request === 'refuse') throw new GrpcError(status.FAILED_PRECONDITION, 'größer als 100 %')
      if (request === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return request.toUpperCase()
    },
    follow(request, stream) {
      for (const part of request.split(' ')) stream.send(part)
    },
  })
  const { port } = await server.listen({ host, port: 0 })
  t.teardown(() => server.close({ graceMs: 0 }))
  return `${host}:${port}`
}

void t.test("grpc-js's client with this server", async (t) => {
  const client = new Client(await serve(t), credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
  })
  t.teardown(() => client.close())
  const { path, requestSerialize, responseDeserialize } = peerMethod(ask)
  const call = (request: string, options: { deadline?: Deadline } = {}) =>
    new Promise<string>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        options,
        (error, answer) => (error ? reject(error) : resolve(answer ?? '')),
      )
    })
  t.equal(await call('hello'), 'HELLO')
  t.equal((await call('x'.repeat(2 ** 22))).length, 2 ** 22)
  await t.rejects(call('x'.repeat(9 * 2 ** 20)), { code: status.RESOURCE_EXHAUSTED })
  await t.rejects(call('refuse'), { code: status.FAILED_PRECONDITION, details: 'größer als 100 %' })
  await t.rejects(call('wait', { deadline: Date.now() + 100 }), { code: status.DEADLINE_EXCEEDED })
  const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => call(`a${at}`)))
  t.strictSame(
    answers,
    Array.from({ length: 300 }, (_, at) => `A${at}`),
  )

  const stream = client.makeServerStreamRequest(
    follow.path,
    follow.encodeRequest,
    follow.decodeResponse,
    'one two',
  )
  const received: string[] = []
  await new Promise<void>((resolve) => {
    stream.on('data', (message: string) => {
      if (received.push(message) === 2) resolve()
    })
  })
  t.strictSame(received, ['one', 'two'])
  const cancelled = new Promise<{ code: status }>((resolve) => stream.on('error', resolve as never))
  stream.cancel()
  t.match(await cancelled, { code: status.CANCELLED })
})

void t.test('a client that compresses gets an error', async (t) => {
  const client = new Client(await serve(t), credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
  })
  t.teardown(() => client.close())
  const answer = new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      ask.path,
      ask.encodeRequest,
      ask.decodeResponse,
      'x'.repeat(1000),
      (error, text) => (error ? reject(error) : resolve(text)),
    )
  })
  await t.rejects(answer, { code: status.UNIMPLEMENTED, details: /compressed/ })
})

void t.test("this client with grpc-js's server", async (t) => {
  const server = new Server({ 'grpc.max_receive_message_length': -1 })
  const service = { ask: peerMethod(ask), follow: peerMethod(follow) }
  server.addService(service, {
    ask({ request }: ServerUnaryCall<string, string>, reply: sendUnaryData<string>) {
      if (request === 'refuse') reply({ code: status.FAILED_PRECONDITION, details: 'größer als 100 %' })
      else if (request !== 'wait') reply(null, request.toUpperCase())
    },
    follow(call: ServerWritableStream<string, string>) {
      for (const part of call.request.split(' ')) call.write(part)
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:0`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  t.teardown(() => server.forceShutdown())
  const client = new GrpcClient({ address: `${host}:${port}` }, { maxMessageBytes: 2 ** 24 })
  t.teardown(() => client.close())
  t.equal(await client.call(ask, 'hello'), 'HELLO')
  t.equal((await client.call(ask, 'x'.repeat(2 ** 22))).length, 2 ** 22)
  await t.rejects(client.call(ask, 'refuse'), {
    code: status.FAILED_PRECONDITION,
    details: 'größer als 100 %',
  })
  await t.rejects(client.call(ask, 'wait', { timeoutMs: 100 }), { code: status.DEADLINE_EXCEEDED })
  await t.rejects(client.call({ ...ask, path: '/test.v1.Test/None' }, ''), { code: status.UNIMPLEMENTED })
  const received: string[] = []
  await new Promise<void>((resolve) => {
    const cancel = client.stream(follow, 'one two', (message) => {
      if (received.push(message) < 2) return
      cancel()
      resolve()
    })
  })
  t.strictSame(received, ['one', 'two'])
})
