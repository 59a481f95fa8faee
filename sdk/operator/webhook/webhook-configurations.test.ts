import t from 'tap'
import { configMaps, leases } from '../../engine/kube/builtin.js'
import { admission } from './admission.js'
import { caches } from './caches.fixture.js'
import { webhookConfigurations, webhookConversion } from './webhook-configurations.js'

const service = { namespace: 'system', name: 'caches-webhook' }
const options = { name: 'caches', namespace: 'system', endpoint: { service } }

void t.test(
  "webhooks of a kind of one's own must be answered, but for deletions and the operator itself",
  async (t) => {
    const objects = webhookConfigurations({
      ...options,
      kinds: [caches],
      authorities: ['pem'],
      injectFrom: 'system/c',
    })
    t.same(
      objects.map(({ kind }) => kind),
      ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    )
    const [mutating, validating] = objects.map(({ webhooks }) => webhooks[0])
    const expected = {
      clientConfig: {
        service: { ...service, port: 443, path: '/default/caches.cache.my.domain' },
        caBundle: 'cGVt',
      },
      rules: [
        {
          apiGroups: ['cache.my.domain'],
          apiVersions: ['v1'],
          resources: ['caches'],
          operations: ['CREATE', 'UPDATE'],
        },
      ],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 5,
      reinvocationPolicy: 'IfNeeded',
      namespaceSelector: undefined,
      matchConditions: [
        { expression: 'object == null || !has(object.metadata.deletionTimestamp)' },
        { expression: "request.userInfo.username != 'system:serviceaccount:system:caches'" },
      ],
    }
    t.match(mutating, expected)
    t.match(validating, { failurePolicy: 'Fail', reinvocationPolicy: undefined })
    t.match(objects[0]?.metadata, {
      name: 'caches',
      annotations: { 'cert-manager.io/inject-ca-from': 'system/c' },
    })
  },
)

void t.test(
  'webhooks of kinds of others are skipped by default while the operator is down, and where it runs',
  async (t) => {
    const limits = admission(configMaps, { validate: () => [], operations: ['DELETE'] })
    const [only, ...others] = webhookConfigurations({ ...options, kinds: [limits] })
    t.same(others, [])
    t.match(only?.webhooks[0], {
      failurePolicy: 'Ignore',
      rules: [{ operations: ['DELETE'] }],
      namespaceSelector: {
        matchExpressions: [
          { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['system', 'kube-system'] },
        ],
      },
    })
    t.same(webhookConfigurations({ ...options, kinds: [configMaps] }), [])
    t.throws(() => webhookConfigurations({ ...options, kinds: [leases] }), { code: 'INVALID_WEBHOOK' })
  },
)

void t.test('a conversion names the path of its kind, by Service or by URL', async (t) => {
  t.same(webhookConversion(caches, { endpoint: { url: 'https://127.0.0.1:9443/' } }), {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { url: 'https://127.0.0.1:9443/convert/caches.cache.my.domain' },
      conversionReviewVersions: ['v1'],
    },
  })
})
