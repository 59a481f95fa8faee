import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { configMaps } from '../engine/kube/builtin.js'
import { silentLogger } from '../engine/observe/logger.js'
import { PluginRuntime } from './plugin.js'

const permissions = [{ group: '', resource: 'configmaps', verbs: ['create', 'get'] }]

void t.test('a plugin with permissions has a client of its cluster', async (t) => {
  const server = await createApiServer({ name: 'cluster' })
  t.teardown(() => server.close())
  await server.listen()
  const kubeconfig = join(t.testdir(), 'config')
  await writeFile(kubeconfig, await server.kubeconfig())
  const shared = {
    name: 'scale.example.org',
    version: '1',
    logger: silentLogger,
    args: [],
    env: { KUBECONFIG: kubeconfig },
  }
  const plugin = new PluginRuntime({ ...shared, permissions })
  const client = await plugin.client()
  const metadata = { namespace: 'default', name: 'a' }
  await client.create(configMaps, { metadata })
  t.match(await client.get(configMaps, metadata), { metadata })
  const given = new PluginRuntime({ ...shared, env: {}, permissions, client })
  t.equal(await given.client(), client, 'a test gives another one')
  await t.rejects(new PluginRuntime(shared).client(), {
    code: 'MISSING_PERMISSIONS',
    message:
      /^plugin scale\.example\.org declares no permissions: add them to the options of createCnpgPlugin/,
  })
})
