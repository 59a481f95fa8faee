// Plugins as sidecars of a real vcluster, in Pods: the commands of docs/install.md, and what a tenant sees.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PodCase } from '../../node/cases/pod-case.js'
import { memoryOf } from '../../node/memory-of.js'
import { programImage } from '../../node/program-image.js'
import { buildImage, type Loose, type RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { installVCluster, manifest, type RealVCluster } from '../real-vcluster.js'

const name = 'my-vcluster'
const configMap = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text },
})
/** A Pod of the tenant, which prints the ConfigMap that it mounts, and answers by HTTP with its own name. */
const tenantPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'localhost/node:24-slim',
        command: ['node', '-e'],
        args: [
          `console.log(require('fs').readFileSync('/config/text', 'utf8'))
           const answer = (_, response) => response.end('the tenant answers')
           for (const port of [80, 19000]) require('http').createServer(answer).listen(port)`,
        ],
        volumeMounts: [{ name: 'config', mountPath: '/config' }],
      },
    ],
    volumes: [{ name: 'config', configMap: { name: 'greeting' } }],
  },
}
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
}

export const sidecar: PodCase = {
  title: 'plugins next to a real vcluster',
  async run(t, node) {
    await buildImage('sync-all-configmaps:dev', '.')
    await programImage('hooks:dev', 'examples/hooks/main.ts')
    await node.load('sync-all-configmaps:dev', 'hooks:dev')
    const hooks = join(t.testdir(), 'hooks.yaml')
    await writeFile(hooks, await manifest('examples/hooks', '--image', 'hooks:dev'))
    const beganMs = performance.now()
    const vcluster = await installVCluster(t, node, { name, values: ['plugin.yaml', hooks] })
    t.comment(`helm: all containers are ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)
    const { namespace } = vcluster
    const host = (...args: string[]) => node.get('-n', namespace, ...args)

    await t.test('a Pod of the tenant mounts the ConfigMap that the plugin copied', async (t) => {
      await apply(vcluster, configMap('greeting', 'hello from the tenant'), tenantPod)
      await until(async () => (await logs(vcluster)).includes('hello from the tenant'))
      const copy = await host('configmap', `greeting-x-default-x-${name}`)
      t.equal(copy.data.text, 'hello from the tenant')
      t.match(copy.metadata.ownerReferences, [{ kind: 'Service', name }])
    })

    await t.test(
      'hooks change the Pod and the Service on the host, and traffic reaches the port',
      async (t) => {
        await apply(vcluster, service)
        const found = await host('pod', `web-x-default-x-${name}`)
        t.equal(found.metadata.labels['created-by-plugin'], 'pod-hook')
        const copy = () => eventually(() => host('service', `web-x-default-x-${name}`))
        await until(async () => (await copy()).spec.ports.length === 2)
        const { spec } = await copy()
        t.match(spec.ports, [{ port: 80 }, { name: 'plugin', port: 19000 }])
        t.match(
          (await vcluster.get('service', 'web')).spec.ports,
          [{ port: 80 }],
          'the user sees the own port',
        )
        t.equal((await vcluster.get('service', 'web')).spec.ports.length, 1)
        for (const port of [80, 19000])
          t.equal(await fetched(node, `http://${spec.clusterIP}:${port}`), 'the tenant answers')
      },
    )

    for (const container of ['sync-all-configmaps', 'hooks', 'syncer'])
      await t.test(`the container ${container} starts again, and the copies follow`, async (t) => {
        const uid = (await host('configmap', `greeting-x-default-x-${name}`)).metadata.uid
        const before = await restarts(vcluster, container)
        await node.kubectl(
          '-n',
          namespace,
          'exec',
          await podName(vcluster),
          '-c',
          container,
          '--',
          ...ended(container),
        )
        await until(async () => (await restarts(vcluster, container)) > before)
        await until(() => isReady(vcluster))
        await eventually(() => apply(vcluster, configMap('greeting', `after ${container}`)))
        const copy = () => host('configmap', `greeting-x-default-x-${name}`)
        await until(async () => (await copy()).data.text === `after ${container}`)
        t.equal((await copy()).metadata.uid, uid, 'the copy is the same object')
      })

    await t.test('an upgrade of the plugin replaces the Pod, and copies are made again', async (t) => {
      await programImage('hooks:v2', 'examples/hooks/main.ts')
      await node.load('hooks:v2')
      await writeFile(hooks, await manifest('examples/hooks', '--image', 'hooks:v2'))
      const upgraded = await installVCluster(t, node, { name, values: ['plugin.yaml', hooks] })
      await until(async () => JSON.stringify(await upgraded.pod()).includes('hooks:v2'))
      await until(() => isReady(upgraded))
      await eventually(() => apply(upgraded, configMap('second', 'after the upgrade')))
      await eventually(() => host('configmap', `second-x-default-x-${name}`))
      for (const container of ['sync-all-configmaps', 'hooks'])
        t.comment(
          `${container} needs ${await memoryOf(node, '-n', namespace, await podName(upgraded), '-c', container)} MiB`,
        )
    })
  },
}

const apply = (vcluster: RealVCluster, ...objects: object[]) =>
  vcluster.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))

const logs = (vcluster: RealVCluster) => vcluster.kubectl(['logs', 'web']).catch(() => '')

/** The result of a call that succeeds after a while. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  const results: T[] = []
  await until(async () => results.push(await call()) > 0)
  return results[0] as T
}

/** The text that a program in the network of the node gets. */
const fetched = (node: RealNode, url: string) =>
  eventually(() =>
    node.run('node', ['-e', `fetch('${url}').then((got) => got.text()).then((text) => console.log(text))`]),
  ).then((text) => text.trim())

/** Ends the first process of a container. */
const ended = (container: string) =>
  container === 'syncer' ? ['sh', '-c', 'kill 1'] : ['node', '-e', 'process.kill(1, "SIGTERM")']

const podName = async (vcluster: RealVCluster): Promise<string> => (await vcluster.pod()).metadata.name

async function restarts(vcluster: RealVCluster, container: string): Promise<number> {
  const { status } = await vcluster.pod()
  return status.containerStatuses.find(({ name }: Loose) => name === container)?.restartCount ?? 0
}

async function isReady(vcluster: RealVCluster): Promise<boolean> {
  const { status } = await vcluster.pod()
  return status.containerStatuses.every(({ ready }: Loose) => ready)
}
