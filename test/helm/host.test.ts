// Tests that helm 3 and 4 read releases that a plugin keeps on the host of a vcluster.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { chart, definition, greetings, key, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { testPlugin } from '../../testing/index.js'
import { missingPrograms, programs } from './charts.js'

const name = 'hello-x-default-x-vc-helm'

void t.test(
  'helm works on a release that a plugin keeps on the host',
  { skip: missingPrograms },
  async (t) => {
    const virtualServer = await createApiServer({ name: 'virtual' })
    const client = createClient({ transport: inProcessTransport(virtualServer) })
    await client.create(customResourceDefinitions, definition)
    const isServed = () =>
      client.list(greetings).then(
        () => true,
        () => false,
      )
    while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
    const reconciler = helmController({ resource: kind, chart, cluster: 'virtual', target: 'host' })
    const test = await testPlugin((plugin) => plugin.register(reconciler), { virtualServer })
    t.teardown(async () => {
      await test.stop()
      await test.hostServer.close()
    })
    await test.hostServer.listen()
    const folder = t.testdir({})
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, await test.hostServer.kubeconfig())
    const env = { HOME: folder, KUBECONFIG: kubeconfig, HELM_NAMESPACE: test.targetNamespace }
    const helm = async (program: string, ...args: readonly string[]) =>
      (await promisify(execFile)(program, [...args], { env })).stdout

    await test.virtual.create(greetings, { metadata: key, spec: { text: 'one' } })
    await test.settled()
    for (const program of programs) {
      const listed = JSON.parse(await helm(program, 'list', '-o', 'json')) as object[]
      t.match(listed, [{ name, namespace: test.targetNamespace, status: 'deployed', chart: 'greeter-1.0.0' }])
      t.equal(listed.length, 1)
    }
    const [program = ''] = programs
    await helm(program, 'uninstall', name)
    await test.settled()
    t.match(await test.host.get(configMaps, { namespace: test.targetNamespace, name }), {
      data: { text: 'one' },
    })
    t.match(JSON.parse(await helm(program, 'list', '-o', 'json')), [{ name, revision: '1' }], 'it is back')
  },
)
