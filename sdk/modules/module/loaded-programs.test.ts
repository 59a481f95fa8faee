import { chmod, readdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type ConfigMap, configMaps, secrets } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import { startServer } from '../helm/repository.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { digestOf } from '../program/digest.js'
import { annotate, type ModulesTest, moduleOf, shop, startModules } from './modules.fixture.js'

/** A program as a file: its install makes a ConfigMap that has its text. */
const programText = (text: string, version = '1.0.0') => `
const objectOf = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: name === 'shop' ? 'made' : 'made-' + name }, data: { text: ${JSON.stringify(text)} } })
export default {
  name: 'texts', version: '${version}', sdk: '*',
  newManager: ({ cluster, config, module, object = objectOf(module.name) }) => ({
    async install(ctx, metaData) { await cluster.apply([object]); metaData.set('made', config.size) },
    async uninstall() { await cluster.delete([object]) },
    async sleep(ctx, metaData) { metaData.set('slept by', ${JSON.stringify(text)}) },
    async resume() {},
  }),
}
`

const copyLabel = 'forkspacer.com/program-copy'
const operatorLabel = 'forkspacer.com/program-copies-of'
const made = { namespace: 'default', name: 'made' }
const program = { namespace: 'default', name: 'program' }
const store = (text: string, version?: string): ConfigMap => ({
  metadata: program,
  data: { plugin: programText(text, version) },
})
const source = {
  raw: { kind: 'Custom', metadata: { version: '1.0.0' }, spec: { repo: { configMap: { name: 'program' } } } },
}

void t.test(
  'a program of a ConfigMap runs in a process; other content runs only when it is accepted',
  async (t) => {
    const programs = { allow: [], cacheFolder: t.testdir() }
    const test = await startModules(t, { modules: { programs } })
    await test.client.create(configMaps, store('first'))
    await test.client.create(modules, moduleOf({ source, config: { size: 3 } } as never))
    await test.settled()
    const installed = await test.live()
    t.match(installed.status, { phase: 'ready', source: 'Custom', program: { digest: /^sha256-/ } })
    t.strictSame(JSON.parse(installed.metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
      made: 3,
    })
    t.strictSame((await test.client.get(configMaps, made)).data, { text: 'first' })
    await test.operator.stop()

    await test.client.update(configMaps, store('second', '2.0.0'))
    await test.client.deleteCollection(configMaps, { namespace: 'default', labelSelector: copyLabel })
    const other = { allow: [], cacheFolder: t.testdir({ other: {} }) }
    const next = await startModules(t, { servers: { main: test.server }, modules: { programs: other } })
    await next.change({ hibernated: true })
    await until(async () => (await next.live()).status?.operation?.reason === 'ProgramChanged')
    const message = (await next.live()).status?.message ?? ''
    const [, digest = ''] = /the digest is (sha256-\S+),/.exec(message) ?? []
    await annotate(next, { 'forkspacer.com/accept-digest': digest, 'forkspacer.com/retry': '1' })
    await until(async () => (await next.live()).status?.phase === 'sleeped')
    const { metadata, status } = await next.live()
    t.match(status?.program, { digest, version: '2.0.0' }, 'the accepted program, by its own version')
    t.strictSame(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
      made: 3,
      'slept by': 'second',
    })
    await next.client.delete(modules, shop)
    await next.settled()
    await t.rejects(next.client.get(configMaps, made), { code: 404 })
  },
)

const copies = async ({ client }: ModulesTest) =>
  (await client.list(configMaps, { labelSelector: copyLabel })).items
const programsOf = (cacheFolder: string) => ({ modules: { programs: { allow: [], cacheFolder } } })
const anotherModule = { name: 'another' }

void t.test('a Module is uninstalled by the copy of its program when all else is gone', async (t) => {
  const folder = t.testdir({ first: {}, second: {} })
  const test = await startModules(t, programsOf(`${folder}/first`))
  await test.client.create(configMaps, store('first'))
  const spec = { source, config: { size: 3 } } as never
  await test.client.create(modules, moduleOf(spec))
  await test.client.create(modules, moduleOf(spec, anotherModule))
  await test.settled()
  const [copy, ...more] = await copies(test)
  t.strictSame(more, [], 'one copy for all Modules')
  t.match(copy?.metadata, { namespace: 'default', labels: { [operatorLabel]: 'test' } })
  await test.operator.stop()

  await test.client.delete(configMaps, program)
  const next = await startModules(t, {
    servers: { main: test.server },
    ...programsOf(`${folder}/second`),
  })
  await next.client.delete(modules, shop)
  await next.settled()
  await t.rejects(next.client.get(configMaps, made), { code: 404 })
  t.equal((await copies(next)).length, 1, 'another Module needs it')
  const leftover = `module-program-${'0'.repeat(40)}`
  const metadata = {
    namespace: 'default',
    name: `${leftover}-0`,
    labels: { [copyLabel]: leftover, [operatorLabel]: 'test' },
  }
  await next.client.create(configMaps, { metadata })
  await next.operator.stop()
  const last = await startModules(t, { servers: { main: test.server }, ...programsOf(`${folder}/second`) })
  await until(async () => (await copies(last)).length === 1)
  t.notMatch((await copies(last))[0]?.metadata.name, leftover, 'a copy without a Module is deleted')
  await last.client.delete(modules, { ...shop, ...anotherModule })
  await last.settled()
  await t.rejects(last.live('another'), { code: 404 })
  t.strictSame(await copies(last), [])
})

void t.test('a copy or a file that was altered is not executed', async (t) => {
  const folder = t.testdir({ first: {}, second: {} })
  const test = await startModules(t, programsOf(`${folder}/first`))
  await test.client.create(configMaps, store('first'))
  await test.client.create(modules, moduleOf({ source, config: { size: 3 } } as never))
  await test.settled()
  const [copy] = await copies(test)
  await test.operator.stop()
  const [file = ''] = await readdir(`${folder}/first`)
  const other = programText('other')
  await chmod(`${folder}/first/${file}`, 0o600)
  await writeFile(`${folder}/first/${file}`, other)
  const binaryData = { program: gzipSync(other).toString('base64') }
  await test.client.patch(configMaps, keyOf(copy ?? { metadata: {} }), {
    type: 'merge',
    body: { binaryData },
  })
  const next = await startModules(t, { servers: { main: test.server }, ...programsOf(`${folder}/first`) })
  await next.change({ hibernated: true })
  await until(async () => (await next.live()).status?.phase === 'sleeped')
  const { metadata } = await next.live()
  t.match(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), { 'slept by': 'first' })
})

void t.test('a Module whose program does not run takes a corrected one', async (t) => {
  const test = await startModules(t, programsOf(t.testdir()))
  const broken = 'export default { name: "broken", version: "1.0.0", sdk: "*" }'
  await test.client.create(configMaps, { metadata: program, data: { plugin: broken } })
  await test.client.create(modules, moduleOf({ source, config: { size: 3 } } as never))
  const reasonIs = async (reason: string) => (await test.live()).status?.operation?.reason === reason
  await until(() => reasonIs('ProgramError'))
  t.match((await test.live()).status?.message, /newManager/)
  await test.client.update(configMaps, store('first'))
  await until(() => reasonIs('ProgramChanged'))
  t.strictSame(await copies(test), [], 'there is nothing to uninstall')
  const digest = digestOf(Buffer.from(programText('first')))
  const custom = { program: { configMap: { name: 'program' }, digest } }
  await test.change({ source: null, custom })
  await until(async () => (await test.live()).status?.phase === 'ready')
  t.match((await test.live()).status, { program: { digest } })
  t.equal((await copies(test)).length, 1)
})

void t.test('what a program has made is uninstalled before a corrected one installs', async (t) => {
  const test = await startModules(t, programsOf(t.testdir()))
  const failing = programText('first').replace("metaData.set('made', config.size)", "throw new Error('no')")
  await test.client.create(configMaps, { metadata: program, data: { plugin: failing } })
  const customOf = (digest: string) => ({ program: { configMap: { name: 'program' }, digest } })
  const custom = customOf(digestOf(Buffer.from(failing)))
  const spec = { source: undefined, custom, config: { size: 3 } } as never
  await test.client.create(modules, moduleOf(spec))
  await until(async () => (await test.live()).status?.message === 'no')
  const { metadata: former } = await test.client.get(configMaps, made)
  await test.client.update(configMaps, store('second'))
  await test.change({ custom: customOf(digestOf(Buffer.from(programText('second')))) })
  await until(async () => (await test.live()).status?.phase === 'ready')
  const { metadata, data } = await test.client.get(configMaps, made)
  t.strictSame(data, { text: 'second' })
  t.not(metadata.uid, former.uid, 'it was deleted')
  t.equal((await copies(test)).length, 1, 'the copy of the former program is gone')
})

void t.test('a program is fetched with the credentials of a Secret next to the Module', async (t) => {
  const seen: (string | undefined)[] = []
  const origin = await startServer(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end(programText('first'))
  })
  const programs = { allow: [origin], cacheFolder: t.testdir() }
  const test = await startModules(t, { modules: { programs } })
  const metadata = { namespace: 'default', name: 'credentials' }
  await test.client.create(secrets, { metadata, stringData: { token: 'to-ken' } })
  const programOf = (namespace: string) => {
    const auth = { name: 'credentials', namespace }
    return { url: `${origin}/a.mjs`, digest: digestOf(Buffer.from(programText('first'))), auth }
  }
  const config = { size: 3 }
  const spec = { source: undefined, config, custom: { program: programOf('kube-system') } }
  await test.client.create(modules, moduleOf(spec as never))
  await until(async () => (await test.live()).status?.phase === 'failed')
  t.match(
    (await test.live()).status?.message,
    /must be in a Secret of the namespace default, got kube-system/,
  )
  t.strictSame(seen, [])
  await test.change({ custom: { program: programOf('default') } })
  await until(async () => (await test.live()).status?.phase === 'ready')
  t.strictSame([...new Set(seen)], ['Bearer to-ken'])
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}
