import t from 'tap'
import { type ConfigMap, configMaps } from '../../kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { annotate, moduleOf, shop, startModules } from './modules.fixture.js'

/** A program as a file: its install makes a ConfigMap that has its text. */
const programText = (text: string) => `
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' }, data: { text: ${JSON.stringify(text)} } }
export default {
  name: 'texts', version: '1.0.0', sdk: '*',
  newManager: ({ cluster, config }) => ({
    async install(ctx, metaData) { await cluster.apply([object]); metaData.set('made', config.size) },
    async uninstall() { await cluster.delete([object]) },
    async sleep(ctx, metaData) { metaData.set('slept by', ${JSON.stringify(text)}) },
    async resume() {},
  }),
}
`

const made = { namespace: 'default', name: 'made' }
const program = { namespace: 'default', name: 'program' }
const store = (text: string): ConfigMap => ({ metadata: program, data: { plugin: programText(text) } })
const source = { raw: { kind: 'Custom', spec: { repo: { configMap: { name: 'program' } } } } }

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

    await test.client.update(configMaps, store('second'))
    const other = { allow: [], cacheFolder: t.testdir({ other: {} }) }
    const next = await startModules(t, { servers: { main: test.server }, modules: { programs: other } })
    await next.change({ hibernated: true })
    await until(async () => (await next.live()).status?.operation?.reason === 'ProgramChanged')
    const message = (await next.live()).status?.message ?? ''
    const [, digest = ''] = /the digest is (sha256-\S+),/.exec(message) ?? []
    await annotate(next, { 'forkspacer.com/accept-digest': digest, 'forkspacer.com/retry': '1' })
    await until(async () => (await next.live()).status?.phase === 'sleeped')
    const { metadata } = await next.live()
    t.strictSame(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
      made: 3,
      'slept by': 'second',
    })
    await next.client.delete(modules, shop)
    await next.settled()
    await t.rejects(next.client.get(configMaps, made), { code: 404 })
  },
)

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}
