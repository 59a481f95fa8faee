// A loaded program is one of users: it uses what is in the namespace of its Module.
import t from 'tap'
import { configMaps, namespaces, secrets } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, startModules } from './modules.fixture.js'
import type { LoadedProgramsOptions } from './programs/loaded-programs-options.js'

/**
 * Reads a Secret of another namespace, a Namespace, and all Secrets; the texts of what happened become its metadata.
 */
const programText = `
const asks = {
  secret: (cluster) => cluster.get({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'other' } }),
  namespace: (cluster) => cluster.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }),
  list: (cluster) => cluster.list({ apiVersion: 'v1', kind: 'Secret' }),
  own: (cluster) => cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'program' } }),
}
export default {
  name: 'reader', version: '1.0.0', sdk: '*',
  newManager: ({ cluster }) => ({
    async install(ctx, metaData) {
      for (const [name, ask] of Object.entries(asks))
        metaData.set(name, await ask(cluster).then(() => 'found', (error) => error.message))
    },
    async uninstall() {}, async sleep() {}, async resume() {},
  }),
}
`

async function found(t: Parameters<typeof startModules>[0], options: Partial<LoadedProgramsOptions>) {
  const test = await startModules(t, { modules: { programs: { allow: [], ...options } } })
  const { client } = test
  await client.create(namespaces, { metadata: { name: 'other' } })
  await client.create(secrets, { metadata: { namespace: 'other', name: 'token' } })
  const program = { namespace: 'default', name: 'program' }
  await client.create(configMaps, { metadata: program, data: { plugin: programText } })
  const source = { raw: { kind: 'Custom', spec: { repo: { configMap: { name: 'program' } } } } }
  await client.create(modules, moduleOf({ source } as never))
  await test.settled()
  return JSON.parse((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'] ?? '{}')
}

void t.test('a loaded program uses objects in the namespace of its Module', async (t) => {
  t.match(await found(t, { cacheFolder: t.testdir() }), {
    secret: /may use objects of the namespace default only, got secrets in other; set programs.objects to/,
    namespace: /got namespaces, which have none/,
    list: /got secrets of all namespaces/,
    own: 'found',
  })
  const all = await found(t, { cacheFolder: t.testdir(), objects: 'all-namespaces' })
  t.strictSame(all, { secret: 'found', namespace: 'found', list: 'found', own: 'found' })
})
