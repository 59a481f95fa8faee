// An operator of two real clusters, installed by the commands of docs/operator.md.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, secrets } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { root } from './dev-run.js'
import { startPlugin } from './plugin-process.js'
import { missingAssets, type RealCluster, startRealCluster } from './real/real-cluster.js'
import { accountKubeconfig } from './real/service-account.js'
import { spreadOperator } from './spread-operator.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager', 'kubectl')
const namespace = 'shops-system'
const one = { namespace: 'default', name: 'one' }
const kindOf = (kind: string): Resource => ({
  group: 'shops.my.domain',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
})
const [shops, nodes] = [kindOf('Shop'), kindOf('Node')]

/** The commands of the guide, for the operator `shops`. */
function guideCommands(): string {
  const guide = readFileSync(join(root, 'docs/operator.md'), 'utf8')
  const [, commands = ''] =
    /```sh\n(vcluster-plugin manifest \. [^`]* --context edge [^`]*)```/.exec(guide) ?? []
  return commands.replaceAll('sites', 'shops')
}

/** One kubeconfig with a context for each cluster. */
function contexts(clusters: Readonly<Record<string, RealCluster>>, current: string): string {
  const named = Object.entries(clusters).map(([name, { kubeconfig }]) => ({
    name,
    ...JSON.parse(kubeconfig),
  }))
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: named.map(({ name, clusters }) => ({ name, cluster: clusters[0].cluster })),
    users: named.map(({ name, users }) => ({ name, user: users[0].user })),
    contexts: named.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    'current-context': current,
  })
}

/** Runs commands in a folder, as a user does, with these contexts. */
async function shell(commands: string, { cwd, kubeconfig }: { cwd: string; kubeconfig: string }) {
  const file = join(cwd, 'contexts.kubeconfig')
  writeFileSync(file, kubeconfig)
  const command = `vcluster-plugin() { '${process.execPath}' '${join(root, 'bin/vcluster-plugin.js')}' "$@"; }`
  const script = `set -euo pipefail\n${command}\n${commands}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd,
    env: { ...process.env, PATH: `${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}`, KUBECONFIG: file },
  })
  return stdout
}

async function connect(t: Tap, { kubeconfig }: RealCluster) {
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: kubeconfig }) })
  t.teardown(() => transport.close())
  return { transport, client: createClient({ transport }) }
}
type Tap = { teardown(done: () => Promise<void>): void }

void t.test(
  'an operator of two clusters is installed by the commands of the guide',
  { skip, timeout: 600_000 },
  async (t) => {
    const [main, edge] = await Promise.all([
      startRealCluster(),
      startRealCluster({ controllerManager: true }),
    ])
    t.teardown(() => Promise.all([main.stop(), edge.stop()]))
    const [inMain, inEdge] = [await connect(t, main), await connect(t, edge)]
    const cwd = t.testdir({ ...spreadOperator(), kubeconfigs: {} })
    const at = { cwd, kubeconfig: contexts({ main, edge }, 'main') }
    await shell(guideCommands(), at)

    const { data = {} } = await inMain.client.get(secrets, { namespace, name: 'shops-clusters' })
    const others = join(cwd, 'kubeconfigs')
    const ofEdge = Buffer.from(data['edge.kubeconfig'] ?? '', 'base64')
    writeFileSync(join(others, 'edge.kubeconfig'), ofEdge)
    const ofMain = join(cwd, 'main.kubeconfig')
    const parts = { transport: inMain.transport, kubeconfig: main.kubeconfig }
    writeFileSync(ofMain, await accountKubeconfig({ namespace, name: 'shops' }, parts))
    const operator = startPlugin(join(cwd, 'main.ts'), {
      KUBECONFIG: ofMain,
      CLUSTER_KUBECONFIGS: others,
      POD_NAMESPACE: namespace,
      METRICS_ADDRESS: '0',
    })
    t.teardown(() => operator.end('SIGKILL'))
    await operator.line('is running')

    const copy = { namespace: 'default', name: 'of-one' }
    const created = { metadata: one, spec: {} } as KubeObject
    await inMain.client.create(shops, created)
    await inEdge.client.create(nodes, created)
    await until(async () => isReady(await inMain.client.get(shops, one)))
    await until(async () => isReady(await inEdge.client.get(nodes, one)))
    t.ok(await inEdge.client.get(configMaps, copy))
    await t.rejects(inMain.client.get(configMaps, copy), { code: 404 })
    await inMain.client.delete(shops, one)
    await until(() => inEdge.client.get(configMaps, copy).then(() => false, isNotFound))
    t.same(
      operator.lines.filter((line) => /forbidden/i.test(line)),
      [],
    )

    const uninstall = await shell('vcluster-plugin manifest . --uninstall --cluster edge', at)
    await shell(uninstall, { cwd, kubeconfig: contexts({ main, edge }, 'edge') })
    const definition = { namespace: '', name: 'nodes.shops.my.domain' }
    await until(() => inEdge.client.get(customResourceDefinitions, definition).then(() => false, isNotFound))
    t.equal(await operator.end(), 0)
  },
)

function isReady({ status }: KubeObject & { status?: { conditions?: { type: string }[] } }): boolean {
  return status?.conditions?.some(({ type }) => type === 'Ready') === true
}
