// The plugins sync-all-configmaps and hooks, as a tenant sees them.
import type { RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { eventually, type RealVCluster } from '../real-vcluster.js'
import type { Claim } from './claim.js'

/** A ConfigMap of the tenant. */
export const configMap = (name: string, text: string) => ({
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

const logOfWeb = '/api/v1/namespaces/default/pods/web/log'

export const mountsCopy: Claim = {
  title: 'a Pod of the tenant mounts the ConfigMap that the plugin copied',
  async run(t, _, vcluster) {
    const { name } = vcluster
    await vcluster.apply(configMap('greeting', 'hello from the tenant'), tenantPod)
    await until(async () => (await vcluster.read(logOfWeb)).includes('hello from the tenant'))
    const copy = await vcluster.host('configmap', `greeting-x-default-x-${name}`)
    t.equal(copy.data.text, 'hello from the tenant')
    t.match(copy.metadata.ownerReferences, [{ kind: 'Service', name }])
  },
}

export const hooks: Claim = {
  title: 'hooks change the Pod and the Service on the host, and traffic reaches the port',
  async run(t, node, vcluster) {
    const copied = (kind: string, name: string) => vcluster.host(kind, `${name}-x-default-x-${vcluster.name}`)
    await vcluster.apply(service)
    t.equal((await copied('pod', 'web')).metadata.labels['created-by-plugin'], 'pod-hook')
    await until(async () => (await copied('service', 'web')).spec.ports.length === 2)
    t.match((await copied('service', 'web')).spec.ports, [{ port: 80 }, { name: 'plugin', port: 19000 }])
    const { ports } = (await vcluster.get('service', 'web')).spec
    t.strictSame(
      ports.map(({ port }: { port: number }) => port),
      [80],
      'the user sees the own port',
    )
    t.ok(await eventually(() => copied('secret', 'test')), 'vcluster copies a Secret that no Pod refers to')
    await isServed(t, node, vcluster)
  },
}

/** Both ports of the tenant's Service answer. */
export async function isServed(
  t: { equal(found: unknown, wanted: unknown): boolean },
  node: RealNode,
  vcluster: RealVCluster,
): Promise<void> {
  const { spec } = await vcluster.host('service', `web-x-default-x-${vcluster.name}`)
  for (const port of [80, 19000])
    t.equal(await fetched(node, `http://${spec.clusterIP}:${port}`), 'the tenant answers')
}

/** The text that a program in the network of the node gets. */
const fetched = (node: RealNode, url: string) =>
  eventually(() => node.run('curl', ['-sf', '--max-time', '5', url]))
