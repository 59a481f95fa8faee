// Tests the example in all three modes, unchanged: next to a vcluster process, inside its container and
// standalone; and next to a vcluster process in Go with the gRPC library of vcluster.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type ConfigMap, configMaps } from '../sdk/engine/kube/builtin.js'
import { freePort } from '../simulator/free-ports.js'
import { vclusterOptions } from '../simulator/vcluster-options.js'
import { startVClusterProcess, startVClusterWithPlugins } from '../testing/index.js'
import { skipWithoutGo, startGoVCluster } from './go-vcluster.js'
import { asked, hookProgram } from './hook-program.js'
import { openCluster } from './live-cluster.js'
import { environment, pluginFolder } from './plugin-folder.js'
import { startPlugin } from './plugin-process.js'
import { type TwoClusters, twoClusters } from './two-clusters.js'

t.setTimeout(600_000)

const main = 'examples/sync-all-configmaps/main.ts'
const names = { VCLUSTER_NAME: 'vc', TARGET_NAMESPACE: 'vcluster-vc' }

/** Starts the example in one mode. */
type StartMode = (t: Test, clusters: TwoClusters, folder: string) => Promise<void>

const sidecar: StartMode = async (t, { virtualKubeconfig, hostKubeconfig }) => {
  const vcluster = await startVClusterProcess({
    virtualKubeconfig,
    hostKubeconfig,
    name: 'vc',
    waitsFor: ['example'],
  })
  t.teardown(() => vcluster.stop())
  startBeside(t, { VCLUSTER_LISTEN_ADDRESS: vcluster.address })
}

function startBeside(t: Test, env: Record<string, string>, program = main) {
  const plugin = startPlugin(program, { ...environment, VCLUSTER_PLUGIN_NAME: 'example', ...env })
  t.teardown(() => plugin.end('SIGKILL'))
  return plugin
}

const inside: StartMode = async (t, clusters) => {
  const folder = pluginFolder(t, main)
  const vcluster = await startVClusterWithPlugins({
    programs: [join(folder, 'plugin')],
    virtualKubeconfigFile: clusters.files(folder).virtual,
    hostKubeconfig: clusters.hostKubeconfig,
    name: 'vc',
    env: environment,
  })
  t.teardown(() => vcluster.stop())
  await vcluster.lead()
}

const alone: StartMode = async (t, clusters, folder) => {
  const { virtual: VIRTUAL_KUBECONFIG, host: HOST_KUBECONFIG } = clusters.files(folder)
  const plugin = startPlugin(main, { ...environment, VIRTUAL_KUBECONFIG, HOST_KUBECONFIG, ...names })
  t.teardown(() => plugin.end('SIGKILL'))
}

const besideGo: StartMode = async (t, clusters) => {
  const { address } = await goProcess(t, clusters)
  startBeside(t, { VCLUSTER_LISTEN_ADDRESS: address })
}

/** A vcluster process in Go, and its address. */
async function goProcess(t: Test, { virtualKubeconfig, hostKubeconfig }: TwoClusters) {
  const input = { name: 'vc', targetNamespace: 'vcluster-vc', plugins: ['example'], listenAddress: '' }
  const kubeconfigs = [virtualKubeconfig, hostKubeconfig, virtualKubeconfig]
  const args = [...kubeconfigs, 'vcluster-vc', 'vcluster-vc', JSON.stringify(vclusterOptions('0.36', input))]
  const vcluster = startGoVCluster(t, { program: 'sidecar', args, env: environment })
  const { config: address = '' } = await vcluster.call('Address')
  return { vcluster, address }
}

const modes: Record<string, StartMode> = {
  'next to a vcluster process': sidecar,
  'inside its container': inside,
  standalone: alone,
  'next to a vcluster process in Go': besideGo,
}

/** A copy without the fields that its cluster sets. */
function shapeOf({ metadata, data }: ConfigMap) {
  const { 'vcluster.loft.sh/object-uid': uid, ...annotations } = metadata.annotations ?? {}
  const owners = metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`)
  return { data, labels: metadata.labels, annotations, owners, hasUid: uid !== undefined }
}

const greeting = {
  metadata: { namespace: 'default', name: 'greeting', labels: { app: 'web' } },
  data: { a: 'b' },
}
const copyName = 'greeting-x-default-x-vc'

for (const [where, start] of Object.entries(modes)) {
  const skip = start === besideGo && skipWithoutGo
  void t.test(`the example runs ${where}, and makes the same copies`, { skip }, async (t) => {
    const clusters = await twoClusters(t)
    const folder = t.testdir({})
    const live = await openCluster(clusters.files(folder).host)
    t.teardown(() => live.close())
    const copy = () => live.configMaps.list().find(({ metadata }) => metadata.name === copyName)
    const original = await clusters.virtual.create(configMaps, greeting)
    await start(t, clusters, folder)
    await live.until(() => copy() !== undefined)
    t.strictSame(copy() && shapeOf(copy() as ConfigMap), {
      data: { a: 'b' },
      labels: { app: 'web', 'vcluster.loft.sh/managed-by': 'vc', 'vcluster.loft.sh/namespace': 'default' },
      annotations: {
        'vcluster.loft.sh/object-name': 'greeting',
        'vcluster.loft.sh/object-namespace': 'default',
        'vcluster.loft.sh/object-kind': '/v1, Kind=ConfigMap',
        'vcluster.loft.sh/object-host-name': copyName,
        'vcluster.loft.sh/object-host-namespace': 'vcluster-vc',
      },
      owners: ['Service vc'],
      hasUid: true,
    })
    await clusters.virtual.update(configMaps, { ...original, data: { a: 'c' } })
    await live.until(() => copy()?.data?.a === 'c')
    await clusters.virtual.delete(configMaps, { namespace: 'default', name: 'greeting' })
    await live.until(() => copy() === undefined)
  })
}

void t.test('hooks next to a vcluster process in Go', { skip: skipWithoutGo }, async (t) => {
  const { vcluster, address: VCLUSTER_LISTEN_ADDRESS } = await goProcess(t, await twoClusters(t))
  const folder = t.testdir({})
  writeFileSync(join(folder, 'main.ts'), hookProgram)
  const vclusterPluginAddress = `localhost:${await freePort()}`
  const program = join(folder, 'main.ts')
  const plugin = startBeside(
    t,
    { VCLUSTER_LISTEN_ADDRESS, VCLUSTER_PLUGIN_ADDRESS: vclusterPluginAddress },
    program,
  )
  const { config: name, object: address = '' } = await vcluster.call('Registered')
  t.same([name, address], ['example', vclusterPluginAddress.replace('localhost', '127.0.0.1')])
  const mutate = (type: string, timeoutMs = 10_000) =>
    vcluster.call('Mutate', { address, timeoutMs, ...asked(type) })
  for (const _ of [1, 2, 3])
    t.match(
      await mutate('CreatePhysical'),
      { mutated: true, object: /"hooked":"yes"/ },
      'a connection for each',
    )
  t.match((await mutate('DeletePhysical')).error, /code = Unknown .*keep it: not this one/)
  t.match((await mutate('UpdatePhysical', 3000)).error, /DeadlineExceeded/)
  await plugin.line('slow hook given up')
  t.match(await mutate('CreatePhysical'), { mutated: true }, 'after an aborted call')
  t.match((await mutate('GetVirtual')).error, /Unavailable/)
  t.equal(await plugin.end(), 7, 'and is restarted by its supervisor')
})
