import t from 'tap'
import { configMaps } from '../../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { type ModulesOptions, moduleControllers } from '../../../sdk/modules/index.js'
import { backups } from '../../../sdk/operator/backups.fixture.js'
import { owned } from '../../../sdk/operator/controller/owned.js'
import { describeOperator } from '../../../sdk/operator/describe/describe-operator.js'
import { controller } from '../../../sdk/operator/engine/controller.js'
import type { OperatorOptions } from '../../../sdk/operator/operator-options.js'
import { caches } from '../../../sdk/operator/webhook/caches.fixture.js'
import type { RbacPolicyRule } from '../../roles/policy-rules.js'
import { kustomizeLayout } from '../kustomize.js'
import { operatorObjects } from './operator-objects.js'
import type { OperatorManifestOptions } from './operator-options.js'
import { uninstallCommands } from './uninstall.js'

const describe = (options: Partial<OperatorOptions> = {}) =>
  describeOperator({ name: 'mine', env: {}, ...options }, [
    controller(backups, { reconcile: () => {} }) as never,
  ])

const defaults: OperatorManifestOptions = {
  image: 'mine:v1',
  replicas: 2,
  memoryMiB: 400,
  createsNamespace: true,
  secureMetrics: true,
  serviceMonitor: false,
  networkPolicy: true,
}

const names = (objects: readonly KubeObject[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

void t.test('one replica gets neither a PodDisruptionBudget nor an anti-affinity', (t) => {
  const { manager: two } = operatorObjects(describe(), defaults)
  t.same(names(two), ['Deployment mine', 'PodDisruptionBudget mine'])
  t.match(two[0], { spec: { replicas: 2, template: { spec: { affinity: { podAntiAffinity: {} } } } } })
  const { manager: one } = operatorObjects(describe(), { ...defaults, replicas: 1 })
  t.same(names(one), ['Deployment mine'])
  t.match(one[0], { spec: { template: { spec: { affinity: undefined } } } })
  t.end()
})

void t.test('the heap is three quarters of the memory limit, and a stop has its deadline and 5 s', (t) => {
  const { manager } = operatorObjects(describe({ stopDeadlineMs: 20_000 }), defaults)
  t.match(manager[0], {
    spec: {
      template: {
        spec: {
          terminationGracePeriodSeconds: 25,
          containers: [
            {
              env: [{}, {}, {}, { name: 'NODE_OPTIONS', value: '--max-old-space-size=300' }],
              resources: { limits: { memory: '400Mi' } },
            },
          ],
        },
      },
    },
  })
  t.end()
})

const describeModules = (options: ModulesOptions) =>
  describeOperator({ name: 'mine', env: {} }, moduleControllers(options) as never)

void t.test(
  'an operator of Modules writes ConfigMaps in its own namespace only, if it loads programs',
  (t) => {
    const ofConfigMaps = (options: ModulesOptions) =>
      (
        operatorObjects(describeModules(options), defaults).rbac as (KubeObject & {
          rules?: RbacPolicyRule[]
        })[]
      )
        .filter(({ metadata }) => metadata.name === 'mine')
        .flatMap(({ kind, metadata, rules = [] }) =>
          rules
            .filter(({ resources }) => resources?.includes('configmaps'))
            .map(({ verbs }) => `${kind} ${metadata.namespace ?? ''}: ${verbs.join()}`),
        )
    t.same(ofConfigMaps({}), ['ClusterRole : get,list,watch'])
    t.same(ofConfigMaps({ programs: { allow: [] } }), [
      'ClusterRole : get,list,watch',
      'Role mine-system: create,delete,get,list,patch',
    ])
    t.end()
  },
)

void t.test('an operator that loads programs of Modules gets a folder for their files', (t) => {
  const podOf = (options: ModulesOptions) => {
    const [deployment] = operatorObjects(describeModules(options), defaults).manager
    return (deployment as KubeObject & { spec: { template: { spec: object } } }).spec.template.spec
  }
  t.match(podOf({ programs: { allow: [] } }), {
    containers: [
      {
        securityContext: { readOnlyRootFilesystem: true },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '512Mi' } }],
  })
  t.match(podOf({}), { containers: [{ volumeMounts: undefined }], volumes: undefined })
  t.end()
})

void t.test('a named namespace is not created', (t) => {
  const { rbac } = operatorObjects(describe(), { ...defaults, createsNamespace: false })
  t.notOk(names(rbac).some((name) => name.startsWith('Namespace')))
  t.match(operatorObjects(describe(), defaults).rbac[0], {
    kind: 'Namespace',
    metadata: { name: 'mine-system', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  })
  t.end()
})

void t.test('webhooks with certificate files come with a Certificate of cert-manager', (t) => {
  const { webhook, crd, manager } = operatorObjects(describe({ webhooks: { kinds: [caches] } }), defaults)
  t.same(names(webhook), [
    'Service mine-webhook',
    'Issuer mine-webhook-certificate',
    'Certificate mine-webhook-certificate',
    'MutatingWebhookConfiguration mine',
    'ValidatingWebhookConfiguration mine',
  ])
  const inject = { 'cert-manager.io/inject-ca-from': 'mine-system/mine-webhook-certificate' }
  t.match(webhook[3]?.metadata.annotations, inject)
  t.match(
    crd.find(({ metadata }) => metadata.name === 'caches.cache.my.domain'),
    {
      metadata: { annotations: inject },
      spec: {
        conversion: {
          webhook: { clientConfig: { service: { namespace: 'mine-system', name: 'mine-webhook' } } },
        },
      },
    },
  )
  t.match(manager[0], {
    spec: { template: { spec: { volumes: [{ secret: { secretName: 'mine-webhook-certificate' } }] } } },
  })
  t.end()
})

void t.test('the account and the Secret of the options of webhooks are those of the manifest', (t) => {
  const webhooks = {
    kinds: [caches],
    certificate: 'selfSigned',
    serviceAccount: 'robot',
    secret: 'keys',
  } as const
  const description = describe({ webhooks })
  t.match(description.webhooks, { serviceAccount: 'robot', secret: 'keys' })
  const { rbac, manager } = operatorObjects(description, defaults)
  t.ok(names(rbac).includes('ServiceAccount robot'))
  const bindings = rbac.filter(({ kind }) => kind?.endsWith('Binding'))
  t.ok(bindings.length > 0)
  for (const binding of bindings)
    t.match(binding, { subjects: [{ name: 'robot', namespace: 'mine-system' }] })
  t.match(manager[0], { spec: { template: { spec: { serviceAccountName: 'robot' } } } })
  t.end()
})

void t.test('an operator with its own certificate gets a Service only, and cleans up what it wrote', (t) => {
  const description = describe({ webhooks: { kinds: [caches], certificate: 'selfSigned' } })
  const objects = operatorObjects(description, defaults)
  t.same(names(objects.webhook), ['Service mine-webhook'])
  const commands = uninstallCommands(description, objects)
  const at = (text: string) => commands.findIndex((line) => line.includes(text))
  const order = [
    'delete backups.cache.my.domain --all',
    'deployment.v1.apps mine',
    'validatingwebhookconfigurations.admissionregistration.k8s.io mine',
    'clusterrole.v1.rbac.authorization.k8s.io mine ',
    'customresourcedefinition.v1.apiextensions.k8s.io caches',
  ].map(at)
  t.notOk(order.includes(-1), commands.join('\n'))
  t.same(
    order.toSorted((a, b) => a - b),
    order,
  )
  t.ok(at('secrets mine-webhook-certificate -n mine-system') > 0)
  t.end()
})

void t.test('the kustomize layout has a folder for each part that exists', async (t) => {
  const sample = { apiVersion: 'v1', kind: 'Sample', metadata: { name: 'a' } }
  const files = await kustomizeLayout({ ...operatorObjects(describe(), defaults) }, [sample])
  t.same(
    files.map(({ path }) => path),
    [
      'kustomization.yaml',
      ...['crd', 'rbac', 'manager', 'metrics', 'network-policy', 'samples'].flatMap((folder) => [
        `${folder}/kustomization.yaml`,
        `${folder}/${folder}.yaml`,
      ]),
    ],
  )
  t.match(
    files[0]?.text,
    /resources:\n {2}- crd\n {2}- rbac\n {2}- manager\n {2}- metrics\n {2}- network-policy\n$/,
  )
})

void t.test('metrics are for readers by HTTPS, and by HTTP only if that is wanted', (t) => {
  const secure = operatorObjects(describe(), { ...defaults, serviceMonitor: true })
  t.strictSame(names(secure.metrics), [
    'Service mine-metrics',
    'ClusterRole mine-metrics-reader',
    'ServiceMonitor mine',
  ])
  t.match(secure.metrics[2], { spec: { endpoints: [{ port: 'metrics', scheme: 'https' }] } })
  const rules = (objects: readonly KubeObject[]) =>
    JSON.stringify(objects.filter(({ kind }) => kind === 'ClusterRole'))
  t.match(rules(secure.rbac), /"tokenreviews"/)
  t.match(rules(secure.rbac), /"subjectaccessreviews"/)
  t.match(JSON.stringify(secure.manager[0]), /"SECURE_METRICS_ADDRESS","value":":8443"/)

  const plain = operatorObjects(describe(), { ...defaults, secureMetrics: false, serviceMonitor: true })
  t.strictSame(names(plain.metrics), ['Service mine-metrics', 'ServiceMonitor mine'])
  t.strictSame((plain.metrics[1] as { spec?: unknown }).spec, {
    selector: { matchLabels: { 'app.kubernetes.io/name': 'mine' } },
    endpoints: [{ port: 'metrics', path: '/metrics' }],
  })
  t.notMatch(rules(plain.rbac), /reviews/)
  t.notMatch(JSON.stringify(plain.manager[0]), /SECURE_METRICS_ADDRESS/)
  t.end()
})

void t.test('a NetworkPolicy allows the webhooks for all and the metrics for labelled namespaces', (t) => {
  const portsOf = (options: Partial<OperatorOptions>, asked: Partial<OperatorManifestOptions> = {}) => {
    const [policy] = operatorObjects(describe(options), { ...defaults, ...asked })['network-policy'] as [
      KubeObject & { spec: { ingress: { from?: unknown; ports: { port: number }[] }[] } },
    ]
    return policy.spec.ingress.map(({ from, ports }) => [ports[0]?.port, from !== undefined])
  }
  t.strictSame(portsOf({}), [[8443, true]])
  t.strictSame(portsOf({}, { secureMetrics: false }), [[9090, true]])
  t.strictSame(portsOf({ webhooks: { kinds: [caches], port: 9999 } }), [
    [8443, true],
    [9999, false],
  ])
  t.strictSame(operatorObjects(describe(), { ...defaults, networkPolicy: false })['network-policy'], [])
  const named = { ...defaults, apiServers: ['10.0.0.1/32'] }
  t.match(operatorObjects(describe({ webhooks: { kinds: [caches], port: 9999 } }), named)['network-policy'], [
    { spec: { ingress: [{}, { from: [{ ipBlock: { cidr: '10.0.0.1/32' } }], ports: [{ port: 9999 }] }] } },
  ])
  t.end()
})

const inTwoClusters = () =>
  describeOperator({ name: 'mine', env: {}, clusters: { main: {}, edge: {} } }, [
    controller(backups, {
      cluster: 'main',
      owns: [owned(configMaps, { cluster: 'edge' })],
      reconcile: () => {},
    }) as never,
    controller(caches, { cluster: 'edge', reconcile: () => {} }) as never,
  ])

void t.test('an operator of several clusters reads the kubeconfigs of the others from a Secret', (t) => {
  const { crd, manager } = operatorObjects(inTwoClusters(), defaults)
  t.same(names(crd), ['CustomResourceDefinition backups.cache.my.domain'])
  const mount = { name: 'clusters', mountPath: '/var/run/secrets/clusters', readOnly: true }
  const container = { volumeMounts: [mount] }
  const volumes = [{ name: 'clusters', secret: { secretName: 'mine-clusters' } }]
  t.match(manager[0], { spec: { template: { spec: { volumes, containers: [container] } } } })
  const [{ env: given = [] } = {}] = Object(manager[0]).spec.template.spec.containers
  const found = given.find(({ name }: { name: string }) => name === 'CLUSTER_KUBECONFIGS')
  t.equal(found?.value, mount.mountPath)
  const [alone] = operatorObjects(describe(), defaults).manager
  t.notMatch(JSON.stringify(alone), 'CLUSTER_KUBECONFIGS')
  t.end()
})

void t.test(
  'another cluster gets the kinds, the roles and an account with a token, and nothing that runs',
  (t) => {
    const description = inTwoClusters()
    const objects = operatorObjects(description, { ...defaults, cluster: 'edge' })
    t.same(names(Object.values(objects).flat()), [
      'CustomResourceDefinition caches.cache.my.domain',
      'Namespace mine-system',
      'ServiceAccount mine',
      'ClusterRole mine',
      'ClusterRole mine-caches-view',
      'ClusterRole mine-caches-edit',
      'ClusterRole mine-caches-admin',
      'ClusterRoleBinding mine',
      'Secret mine-token',
    ])
    const role = objects.rbac.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'mine')
    const resources = Object(role).rules.flatMap((rule: { resources: string[] }) => rule.resources)
    t.ok(resources.includes('configmaps'))
    t.notOk(resources.includes('leases') || resources.includes('backups'), resources.join())
    t.same(uninstallCommands(description, objects, 'edge').slice(0, 2), [
      'kubectl delete caches.cache.my.domain --all --all-namespaces --ignore-not-found',
      'kubectl delete secret mine-token -n mine-system --ignore-not-found',
    ])
    t.throws(() => operatorObjects(description, { ...defaults, cluster: 'moon' }), /has no cluster moon/)
    t.end()
  },
)
