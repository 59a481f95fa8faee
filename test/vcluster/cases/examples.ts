// The claims of the READMEs of examples, in a real vcluster.
import { until } from '../../until.js'
import { eventually } from '../real-vcluster.js'
import type { Claim } from './claim.js'

export const cars: Claim = {
  title: 'crd-sync: a car is copied, and each side sees what the other one changes',
  async run(t, node, vcluster) {
    const { name, namespace } = vcluster
    await eventually(() => vcluster.kubectl(['apply', '-f', 'examples/crd-sync/samples.yaml']))
    const beetle = `beetle-x-default-x-${name}`
    t.equal((await eventually(() => vcluster.host('car', beetle))).spec.seats, 4)
    const patch = (...args: string[]) =>
      node.kubectl('-n', namespace, 'patch', 'car', beetle, '--type=merge', ...args)
    await patch('-p', '{"spec":{"seats":5}}')
    await patch('--subresource=status', '-p', '{"status":{"plate":"W 1"}}')
    await until(async () => (await vcluster.get('car', 'beetle')).spec.seats === 5)
    await until(async () => (await vcluster.get('car', 'beetle')).status?.plate === 'W 1')
  },
}

export const importedSecrets: Claim = {
  title: 'import-secrets: a Secret of the host appears where its annotation says, and moves with it',
  async run(t, node, vcluster) {
    const inHost = ['-n', vcluster.namespace]
    await node.kubectl(...inHost, 'apply', '-f', 'examples/import-secrets/host-samples.yaml')
    const login = await eventually(() => vcluster.get('-n', 'shop', 'secret', 'database-login'))
    t.equal(Buffer.from(login.data.user, 'base64').toString(), 'shop')
    const moved = 'vcluster.loft.sh/import=default/login'
    await node.kubectl(...inHost, 'annotate', 'secret', 'database', moved, '--overwrite')
    await eventually(() => vcluster.get('secret', 'login'))
    await until(async () => (await vcluster.get('-n', 'shop', 'secrets')).items.length === 0)
    await t.rejects(vcluster.get('secret', 'not-for-the-tenant'), /NotFound/)
  },
}

export const pullSecrets: Claim = {
  title: 'pull-secret-sync: a pull secret of the host is copied, and again after a user has deleted it',
  async run(t, node, vcluster) {
    await node.kubectl('-n', vcluster.namespace, 'apply', '-f', 'examples/pull-secret-sync/host-samples.yaml')
    const copy = await eventually(() => vcluster.get('secret', 'registry'))
    t.equal(copy.type, 'kubernetes.io/dockerconfigjson')
    await vcluster.kubectl(['delete', 'secret', 'registry'])
    await eventually(() => vcluster.get('secret', 'registry'))
  },
}

export const started: Claim = {
  title: 'bootstrap-with-deployment: the Deployment exists, and its Pod runs on the host',
  async run(t, _, vcluster) {
    await until(async () => {
      const { status } = await vcluster.get('-n', 'mynamespace', 'deployment', 'mydeployment')
      return status.readyReplicas === 1
    })
    const { items } = await vcluster.host('pods', '-l', 'app=mydeployment')
    t.equal(items[0].status.phase, 'Running')
  },
}

export const certificates: Claim = {
  title: 'certificates: cert-manager gets a Certificate, and its Secret reaches the user',
  async run(t, node, vcluster) {
    await eventually(() => vcluster.kubectl(['apply', '-f', 'examples/certificates/samples.yaml']))
    const name = `shop-x-default-x-${vcluster.name}`
    const copy = await eventually(() => vcluster.host('certificates.cert-manager.io', name))
    t.strictSame(copy.spec.dnsNames, ['shop.my.domain'])
    await node.apply(signed(copy), '-n', vcluster.namespace)
    const found = await eventually(() => vcluster.get('secret', 'shop-tls'))
    t.equal(Buffer.from(found.data['tls.key'], 'base64').toString(), 'the key')
  },
}

export const createdPlugin: Claim = {
  title: 'a created plugin: a PodTemplate is copied',
  async run(t, _, vcluster) {
    const metadata = { name: 'shop', namespace: 'default' }
    const template = { spec: { containers: [{ name: 'shop', image: 'shop:v1' }] } }
    await eventually(() => vcluster.apply({ apiVersion: 'v1', kind: 'PodTemplate', metadata, template }))
    const copy = await eventually(() => vcluster.host('podtemplate', `shop-x-default-x-${vcluster.name}`))
    t.match(copy.template.spec.containers, [{ name: 'shop', image: 'shop:v1' }])
  },
}

/** The Secret that cert-manager writes for a Certificate. */
const signed = ({ metadata, spec }: { metadata: { name: string }; spec: { secretName: string } }) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/tls',
  metadata: {
    name: spec.secretName,
    annotations: {
      'cert-manager.io/certificate-name': metadata.name,
      'tls.my.domain/certificate': 'default/shop',
    },
  },
  stringData: { 'tls.crt': 'the certificate', 'tls.key': 'the key' },
})
