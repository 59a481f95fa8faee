// An operator in Pods, deployed by each command that the documentation names: webhooks through a Service, two replicas,
// a leader that dies.
import type { Test } from 'tap'
import { until } from '../../until.js'
import { missingHelm, runHelm } from '../helm-program.js'
import { memoryOf } from '../memory-of.js'
import { programImage } from '../program-image.js'
import { type Loose, type RealNode, runProgram } from '../real-node.js'
import type { PodCase } from './pod-case.js'

const namespace = 'caches-system'
const cache = (version: string, spec: object, name = 'one') => ({
  apiVersion: `cache.my.domain/${version}`,
  kind: 'Cache',
  metadata: { name, namespace: 'default' },
  spec,
})
const manifest = (...args: string[]) =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', 'test/node/caches', ...args])

export const operator: PodCase = {
  title: 'an operator with webhooks, by each command that deploys it',
  async run(t, node) {
    const image = await programImage('caches:v1', 'test/node/caches/main.ts')
    await node.load(image)

    await t.test('manifest: two replicas, restricted, with webhooks behind a Service', async (t) => {
      const beganMs = performance.now()
      await node.run('kubectl', ['apply', '--server-side', '-f', '-'], await manifest('--image', image))
      await ready(node)
      t.comment(`ready ${Math.round(performance.now() - beganMs)} ms after kubectl apply`)
      await t.rejects(
        node.kubectl('-n', namespace, 'run', 'x', '--image', 'x', '--privileged'),
        /violates PodSecurity/,
      )
      await t.test('the kind works', (t) => kindWorks(t, node))
      for (const pod of await pods(node))
        t.comment(
          `${pod.metadata.name} needs ${await memoryOf(node, '-n', namespace, pod.metadata.name)} MiB`,
        )
    })

    await t.test('the leader is killed: the other replica takes over', async (t) => {
      const killed = await leader(node)
      await node.kubectl('-n', namespace, 'delete', 'pod', killed, '--force', '--grace-period=0')
      const beganMs = performance.now()
      await until(async () => ![killed, ''].includes(await leader(node)))
      t.comment(
        `another leads ${Math.round((performance.now() - beganMs) / 1000)} s after the leader was killed`,
      )
      // Until its addresses are known to be gone, calls of webhooks still reach the killed Pod.
      await until(() => node.apply(cache('v1', { size: 7 })).then(() => true))
      await grows(node, 7)
      await ready(node)
    })

    await t.test('the leader is asked to stop: it hands over at once', async (t) => {
      const stopped = await leader(node)
      await node.kubectl('-n', namespace, 'delete', 'pod', stopped)
      const isOther = async () => ![stopped, ''].includes(await leader(node))
      const handedOver = until(isOther, { withinMs: 8_000 })
      await t.resolves(handedOver, 'a Lease that is not handed over expires only after 15 s')
      await grows(node, 8)
    })

    await t.test('a rolling upgrade refuses no write', async (t) => {
      await ready(node)
      const failures: string[] = []
      let isRolling = true
      const writes = (async () => {
        for (let at = 0; isRolling; at++)
          await node
            .apply(cache('v1', { size: 8 + at }))
            .catch((error: unknown) => failures.push(String(error)))
      })()
      await node.kubectl('-n', namespace, 'rollout', 'restart', 'deployment/caches')
      await ready(node)
      isRolling = false
      await writes
      t.strictSame(failures, [])
    })

    await t.test('manifest --uninstall leaves nothing', async (t) => {
      const commands = (await manifest('--uninstall'))
        .split('\n')
        .filter((line) => line.startsWith('kubectl '))
      for (const command of commands) await node.run('sh', ['-c', command])
      await t.rejects(node.get('crd', 'caches.cache.my.domain'), /NotFound/)
      await t.rejects(node.get('namespace', namespace), /NotFound/)
    })

    await t.test('manifest --chart', { skip: missingHelm() }, async (t) => {
      const folder = t.testdir()
      await manifest('--image', image, '--chart', folder)
      const install = [
        'upgrade',
        '--install',
        'caches',
        folder,
        '-n',
        namespace,
        '--create-namespace',
        '--wait',
      ]
      await runHelm(node, install)
      await grows(node, 4, 'for-chart')
      await runHelm(node, ['uninstall', 'caches', '-n', namespace, '--wait'])
      await node.kubectl('delete', 'crd', 'caches.cache.my.domain', '--wait')
      await node.kubectl(
        'delete',
        'validatingwebhookconfiguration,mutatingwebhookconfiguration',
        'caches',
        '--ignore-not-found',
      )
      await node.kubectl('delete', 'namespace', namespace)
    })

    await t.test('manifest --kustomize', async (t) => {
      const folder = t.testdir()
      await manifest('--image', image, '--kustomize', folder)
      await node.kubectl('apply', '--server-side', '-k', folder)
      await ready(node)
      await grows(node, 5, 'for-kustomize')
    })
  },
}

/** Waits until the replicas are ready and no other Pod is left. */
async function ready(node: RealNode): Promise<void> {
  await node.kubectl('-n', namespace, 'rollout', 'status', 'deployment/caches', '--timeout=120s')
  await until(async () => (await pods(node)).length === 2)
}

const pods = async (node: RealNode): Promise<Loose[]> => (await node.get('-n', namespace, 'pods')).items

/** The Pod that leads. */
async function leader(node: RealNode): Promise<string> {
  const { spec } = await node.get('-n', namespace, 'lease', 'caches')
  const found = (await pods(node)).find(({ metadata }) => spec.holderIdentity?.includes(metadata.name))
  return found?.metadata.name ?? ''
}

async function grows(node: RealNode, size: number, name = 'one'): Promise<void> {
  await node.apply(cache('v1', { size }, name))
  await until(async () => (await node.get('configmap', name)).data.size === String(size))
}

/** Defaults, validation and conversion of the kind, and its controller. */
async function kindWorks(t: Test, node: RealNode): Promise<void> {
  // The leader writes the configurations of the webhooks itself, and API servers apply them a moment later.
  const probe = JSON.stringify(cache('v1beta1', { mebibytes: 5 }, 'probe'))
  const create = ['create', '--dry-run=server', '-o', 'json', '-f', '-']
  await until(
    async () => JSON.parse(await node.run('kubectl', create, probe)).metadata.labels?.team === 'none',
  )
  await node.apply(cache('v1beta1', { mebibytes: 5 }))
  const stored = await node.get('caches.v1.cache.my.domain', 'one')
  t.match(stored, { metadata: { labels: { team: 'none' } }, spec: { size: 5 } })
  await t.rejects(node.apply(cache('v1', { size: 3 })), /must not shrink/)
  await grows(node, 6)
  await node.kubectl('delete', 'cache', 'one')
  await until(async () => !(await node.kubectl('get', 'configmaps', '-o', 'name')).includes('/one'))
  await node.apply(cache('v1', { size: 6 }))
}
