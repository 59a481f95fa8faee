import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createCnpgPlugin } from '../../sdk/cnpg/index.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { serverFlags, writeCertificates } from '../../test/cnpg-process.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { testCnpgOperator } from './test-operator.js'

const name = 'hello.example.org'
const cluster = { metadata: { name: 'db' }, spec: { plugins: [{ name }] } }

/** Starts a plugin with these flags, and answers where it is and how to stop it. */
async function start(t: Test, args: readonly string[]) {
  const plugin = createCnpgPlugin({ name, version: '0.1.0', logger: silentLogger, env: {}, args })
  plugin.pods({
    instance(_ctx, pod) {
      pod.metadata.labels = { ...pod.metadata.labels, greeting: 'hello' }
    },
  })
  const ended = plugin.start()
  while (!plugin.address) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5))])
  const stop = async () => {
    await plugin.stop()
    await ended
  }
  t.teardown(stop)
  return { address: plugin.address, stop }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'cnpg-'))

void t.test('a plugin at a socket, which restarts', async (t) => {
  const folder = newFolder()
  const first = await start(t, ['--plugin-path', folder])
  const operator = await testCnpgOperator({ socket: first.address })
  t.teardown(() => operator.close())
  t.match(await operator.create(cluster), { phase: 'Cluster in healthy state' })
  t.match(operator.pods[0]?.metadata.labels, { greeting: 'hello' })
  await first.stop()
  t.match(await operator.reconcile(), {
    phase: 'Cluster cannot proceed to reconciliation due to an error while interacting with plugins',
    phaseReason: /^Error while discovering plugins: rpc error: code = Unavailable/,
  })
  await start(t, ['--plugin-path', folder])
  let ended = await operator.reconcile()
  while (ended.phaseReason !== undefined) ended = await operator.reconcile()
  t.match(ended, { phase: 'Cluster in healthy state' })
  t.same(operator.rollouts, [])
})

void t.test('a plugin behind mutual TLS, and what is wrong with other certificates', async (t) => {
  const files = writeCertificates(newFolder())
  const { address } = await start(t, serverFlags('127.0.0.1:0', files))
  const read = (file: string) => readFileSync(file, 'utf8')
  const target = {
    address,
    serverName: 'hello-world',
    serverCert: read(files.serverCert),
    clientCert: read(files.clientCert),
    clientKey: read(files.clientKey),
  }
  const operator = await testCnpgOperator(target)
  t.teardown(() => operator.close())
  t.match(await operator.create(cluster), { phase: 'Cluster in healthy state' })
  const other = writeCertificates(newFolder(), ['another'])
  const foreign = { clientCert: read(other.clientCert), clientKey: read(other.clientKey) }
  await t.rejects(testCnpgOperator({ ...target, ...foreign }), { name: 'CallError', code: 14 })
  await t.rejects(testCnpgOperator({ ...target, serverName: 'another' }), { message: /another/ })
})

void t.test('a plugin that does not answer when it is loaded', async (t) => {
  const socket = join(newFolder(), name)
  const connections: Socket[] = []
  const server = createServer((connection) => connections.push(connection)).listen(socket)
  t.teardown(() => {
    // The client closes its session only after an answer of the server.
    for (const connection of connections) connection.destroy()
    server.close()
  })
  const clock = new VirtualClock()
  const loading = testCnpgOperator({ socket }, { clock })
  const rejected = t.rejects(loading, { message: 'context deadline exceeded' })
  await clock.advance(5000)
  await rejected
})
