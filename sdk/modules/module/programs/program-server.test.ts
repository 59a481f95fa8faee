// Programs of servers: one with another digest is never executed, and one that was executed is not needed from there
// again.
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { until } from '../../../../test/until.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { modules } from '../../kinds/module-kind.js'
import { keptLog } from '../../process/run-programs.fixture.js'
import { digestOf } from '../../program/digest.js'
import { isInstalled, moduleOf, shop, startModules } from '../modules.fixture.js'

/** A program that prints when it is executed, and installs a ConfigMap. */
const programText = (printed: string) => `console.log(${JSON.stringify(printed)})
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop-installed' } }
export default {
  name: 'served', version: '1.0.0', sdk: '*',
  newManager: ({ cluster }) => ({
    async install() { await cluster.apply([object]) },
    async uninstall() { await cluster.delete([object]) },
    async sleep() {}, async resume() {},
  }),
}`
const good = programText('good is executed')
const evil = programText('evil is executed')
const goodDigest = digestOf(Buffer.from(good))

/** A server with a program, which a test can stop. */
async function serve(t: Test, text: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end(text))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= new Promise<void>((resolve) => server.close(() => resolve()))
    return stopping
  }
  t.teardown(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/program.mjs`, stop }
}

const moduleFrom = (program: object) => moduleOf({ source: undefined, custom: { program } } as never)

void t.test('content with another digest is never executed, wherever it comes from', async (t) => {
  const folder = t.testdir({ cache: {}, programs: { 'program.mjs': evil } })
  const { url } = await serve(t, evil)
  const { lines, logger } = keptLog()
  const programs = { allow: [url], folder: join(folder, 'programs'), cacheFolder: join(folder, 'cache') }
  const test = await startModules(t, { logger, modules: { programs } })
  const configMap = { namespace: 'default', name: 'program' }
  await test.client.create(configMaps, { metadata: configMap, data: { plugin: evil } })
  const origins = { url, configMap, file: pathToFileURL(join(folder, 'programs', 'program.mjs')).href }
  for (const [name, origin] of Object.entries(origins)) {
    const program = {
      ...(typeof origin === 'string' ? { url: origin } : { configMap: origin }),
      digest: goodDigest,
    }
    await test.client.create(modules, moduleFrom(program))
    await until(async () => (await test.live()).status?.operation?.lastError !== undefined)
    const { status } = await test.live()
    t.match(status, { operation: { reason: 'ProgramChanged' }, message: /the digest is sha256-/ }, name)
    t.ok(status?.message?.includes(goodDigest), 'the message names the expected digest')
    await test.client.delete(modules, shop)
    await until(() =>
      test.live().then(
        () => false,
        () => true,
      ),
    )
  }
  t.strictSame(await readdir(join(folder, 'cache')), [], 'nothing was written')
  t.notMatch(lines.join('\n'), /evil is executed/)
  // The same program is executed, and prints, if the digest is its own.
  await test.client.create(modules, moduleFrom({ url, digest: digestOf(Buffer.from(evil)) }))
  await until(async () => (await test.live()).status?.phase === 'ready')
  t.match(lines.join('\n'), /evil is executed/)
})

/** Changes of the files of the operator before it starts again. */
const cacheAfter: Record<string, (folder: string) => Promise<unknown>> = {
  'is as it was': async () => {},
  'was deleted': (folder) => rm(folder, { recursive: true }),
  'was altered': async (folder) => {
    const [file = ''] = (await readdir(folder)).filter((one) => one.endsWith('.mjs'))
    await chmod(join(folder, file), 0o600)
    await writeFile(join(folder, file), evil)
  },
}

for (const [what, change] of Object.entries(cacheAfter))
  void t.test(`a Module is uninstalled when its server is gone and the cache ${what}`, async (t) => {
    const cacheFolder = join(t.testdir(), 'cache')
    const server = await serve(t, good)
    const programs = { allow: [server.url], cacheFolder }
    const test = await startModules(t, { modules: { programs } })
    await test.client.create(modules, moduleFrom({ url: server.url, digest: goodDigest }))
    await until(async () => (await test.live()).status?.phase === 'ready')
    t.ok(await isInstalled(test.client))
    await test.operator.stop()
    await server.stop()
    await change(cacheFolder)
    const { lines, logger } = keptLog()
    const next = await startModules(t, { logger, servers: { main: test.server }, modules: { programs } })
    await next.client.delete(modules, shop)
    await until(() =>
      next.live().then(
        () => false,
        () => true,
      ),
    )
    t.notOk(await isInstalled(next.client))
    t.match(lines.join('\n'), /good is executed/)
    t.notMatch(lines.join('\n'), /evil is executed/)
  })
