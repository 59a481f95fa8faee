// Connections to the cluster of a Workspace, opened by replicas that run its Modules but not the Workspace itself.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../../engine/client/create-client.js'
import { customResourceDefinitions, namespaces, secrets } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { TransportRequest } from '../../engine/transport/transport.js'
import { createInternalOperator } from '../../operator/operator-runtime.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'
import { moduleController } from '../module/module-controller.js'
import { definitions, moduleOf, NotingProgram } from '../module/modules.fixture.js'
import { anyKubeconfig } from './managed.fixture.js'
import { workspaceController } from './workspace-controller.js'

const workspace = { namespace: 'default', name: 'far' }
const secretReference = { namespace: 'default', name: 'far-kubeconfig' }
const tenants = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

void t.test('no replica keeps a connection to the cluster of a deleted Workspace', async (t) => {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock })
  t.teardown(() => server.close())
  const far = await createApiServer({ name: 'far' })
  t.teardown(() => far.close())
  const client = createClient({ transport: inProcessTransport(server) })
  for (const definition of definitions) await client.create(customResourceDefinitions, definition)
  for (const name of tenants) await client.create(namespaces, { metadata: { name } })
  const data = { kubeconfig: Buffer.from(anyKubeconfig).toString('base64') }
  await client.create(secrets, { metadata: secretReference, data })
  let [opened, closed] = [0, 0]
  const open = () => {
    opened++
    const transport = inProcessTransport(far)
    return {
      request: (request: TransportRequest) => transport.request(request),
      stream: (request: TransportRequest) => transport.stream(request),
      close: async () => void closed++,
    }
  }
  const start = () => {
    const kubeconfigs = new KubeconfigClusters({}, open)
    const options = {
      kubeconfigs: true,
      references: 'all-namespaces' as const,
      builtIn: { Noting: new NotingProgram().program },
    }
    const operator = createInternalOperator({
      name: 'modules',
      shards: 4,
      env: {},
      logger: silentLogger,
      clock,
      openClusters: async () => ({ transports: new Map([['main', inProcessTransport(server)]]) }),
      leaseNamespace: 'default',
      containsRejections: false,
    })
    operator.register(workspaceController(options, kubeconfigs), moduleController(options, kubeconfigs))
    void operator.start()
    return operator
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(500)
    }
  }
  const replicas = [start(), start()]
  t.teardown(() => Promise.all([...replicas.map((replica) => replica.stop()), pass(60_000)]))
  await pass(10_000)
  const connection = { type: 'kubeconfig', secretReference: { ...secretReference, key: 'kubeconfig' } }
  await client.create(workspaces, { metadata: workspace, spec: { connection } } as never)
  for (const namespace of tenants) {
    const { spec } = moduleOf({ workspace })
    await client.create(modules, { metadata: { namespace, name: 'shop' }, spec } as never)
  }
  await pass(10_000)
  t.strictSame([opened, closed], [2, 0])
  await client.delete(workspaces, workspace)
  const body = { metadata: { finalizers: null } }
  await client.patch(workspaces, workspace, { type: 'merge', body }).catch(() => undefined)
  await pass(10_000)
  t.strictSame([opened, closed], [2, 2])
})
