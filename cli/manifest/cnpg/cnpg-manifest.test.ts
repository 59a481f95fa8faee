import t from 'tap'
import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { cnpgObjects } from './cnpg-objects.js'

const description: CnpgPluginDescription = {
  kind: 'CnpgPluginDescription',
  name: 'hello-world.example.org',
  version: '0.1.0',
  stopDeadlineMs: 10_000,
  permissions: [],
  has: { default: true, validate: true },
}
const options = { image: 'hello:v1', namespace: 'cnpg-system', replicas: 1, memoryMiB: 200 }

/** An object of any fields. */
type Loose = KubeObject & { spec: Record<string, unknown> }

const made = (changes: Partial<CnpgPluginDescription> = {}) =>
  cnpgObjects({ ...description, ...changes }, options)
const find = (objects: readonly KubeObject[], kind: string, name?: string) =>
  objects.find((one) => one.kind === kind && (name === undefined || one.metadata.name === name)) as Loose

void t.test('the operator finds the plugin: the names, the port and the Secrets agree', async (t) => {
  const objects = made()
  const { metadata, spec } = find(objects, 'Service')
  t.same(metadata.labels, { 'cnpg.io/pluginName': 'hello-world.example.org' })
  const { 'cnpg.io/pluginPort': port, ...secrets } = metadata.annotations ?? {}
  t.match(spec.ports, [
    { port: Number(port), targetPort: 'grpc' },
    { port: 443, targetPort: 'webhooks' },
  ])
  for (const secret of Object.values(secrets))
    t.match(find(objects, 'Certificate', secret).spec, { secretName: secret })
  const server = find(objects, 'Certificate', secrets['cnpg.io/pluginServerSecret'])
  t.same(server.spec.dnsNames, [metadata.name, `${metadata.name}.cnpg-system.svc`])
  t.match(find(objects, 'Deployment').spec, {
    template: {
      metadata: { labels: spec.selector },
      spec: {
        containers: [{ ports: [{ name: 'grpc', containerPort: Number(port) }, { name: 'webhooks' }, {}] }],
      },
    },
  })
})

void t.test('the Pod does not get the key of the operator, nor a token', async (t) => {
  const { template } = find(made(), 'Deployment').spec as {
    template: { spec: { volumes: { name: string }[] } }
  }
  t.match(template.spec, { automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
  t.match(
    template.spec.volumes.find(({ name }) => name === 'client'),
    { secret: { items: [{ key: 'tls.crt', path: 'tls.crt' }] } },
  )
})

void t.test('a plugin with permissions gets a token and the roles that it declares', async (t) => {
  const group = 'postgresql.cnpg.io'
  const objects = made({
    permissions: [
      { group, resource: 'clusters', verbs: ['get', 'list', 'watch', 'patch'] },
      { group: '', resource: 'secrets', verbs: ['get'], namespace: 'vault' },
    ],
  })
  const name = 'hello-world.example.org'
  t.match(find(objects, 'ClusterRole'), {
    metadata: { name },
    rules: [{ apiGroups: [group], resources: ['clusters'], verbs: ['get', 'list', 'patch', 'watch'] }],
  })
  const subjects = [{ kind: 'ServiceAccount', name: 'hello-world', namespace: 'cnpg-system' }]
  t.match(find(objects, 'ClusterRoleBinding'), { roleRef: { kind: 'ClusterRole', name }, subjects })
  t.match(find(objects, 'Role'), {
    metadata: { name, namespace: 'vault' },
    rules: [{ resources: ['secrets'] }],
  })
  t.match(find(objects, 'RoleBinding'), { metadata: { namespace: 'vault' }, subjects })
  t.match(find(objects, 'Deployment').spec, { template: { spec: { automountServiceAccountToken: true } } })
  t.notOk(find(made(), 'ClusterRole'), 'others have none')
})

void t.test('the plugin knows its image, for its sidecar', async (t) => {
  const { template } = find(made(), 'Deployment').spec as {
    template: { spec: { containers: { env: { name: string; value: string }[] }[] } }
  }
  const { env = [] } = template.spec.containers[0] ?? {}
  t.match(
    env.find(({ name }) => name === 'PLUGIN_IMAGE'),
    { value: options.image },
  )
})

void t.test('webhooks are configured for the hooks that exist', async (t) => {
  const kinds = (has: CnpgPluginDescription['has']) =>
    made({ has })
      .map(({ kind = '' }) => kind)
      .filter((kind) => kind.endsWith('WebhookConfiguration'))
  t.same(kinds({ default: true, validate: false }), ['MutatingWebhookConfiguration'])
  t.same(kinds({ default: false, validate: true }), ['ValidatingWebhookConfiguration'])
  const none = made({ has: { default: false, validate: false } })
  t.same((find(none, 'Service').spec.ports as unknown[]).length, 1)
  t.notMatch(JSON.stringify(find(none, 'Deployment')), 'WEBHOOK_ADDRESS')
})
