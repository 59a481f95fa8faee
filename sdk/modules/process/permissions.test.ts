// Tests which calls of a cluster the rules of a program cover.
import t from 'tap'
import type { ApiError } from '../../engine/kube/error.js'
import type { PolicyRule } from '../manager/policy-rule.js'
import type { ClusterMethod } from './messages.js'
import { checkPermissions } from './permissions.js'

const rules: PolicyRule[] = [
  { group: 'apps', resource: 'deployments', verbs: ['create', 'patch'], namespace: 'shop' },
  { group: '', resource: 'configmaps', verbs: ['*'] },
  { group: 'networking.k8s.io', resource: '*', verbs: ['get'] },
  { group: '', resource: 'secrets', verbs: ['patch'] },
  { group: '', resource: 'secrets', verbs: ['create'], namespace: 'shop' },
]
const deployment = (namespace?: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace },
})
const secret = (namespace: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace } })

function answer(method: ClusterMethod, first: unknown, permissions = rules): string {
  try {
    checkPermissions('program shop 1.0.0', { method, first }, permissions)
    return 'allowed'
  } catch (error) {
    return `${(error as ApiError).code} ${(error as ApiError).message}`
  }
}

void t.test('a call is allowed if rules cover each verb of each object', async (t) => {
  const allowed: [ClusterMethod, unknown][] = [
    ['apply', [deployment('shop'), { apiVersion: 'v1', kind: 'ConfigMap' }]],
    ['scaleDown', deployment('shop')],
    ['list', { apiVersion: 'v1', kind: 'ConfigMap' }],
    ['get', { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace: 'a' } }],
    ['apply', [secret('shop')]],
    ['apply', []],
  ]
  for (const [method, first] of allowed) t.equal(answer(method, first), 'allowed')
  const missing: [ClusterMethod, unknown, string][] = [
    [
      'apply',
      [deployment('shop'), deployment('other')],
      "403 program shop 1.0.0 may not create, patch deployments.apps in namespace other: add { group: 'apps', " +
        "resource: 'deployments', verbs: ['create', 'patch'], namespace: 'other' } to permissions in its defineProgram",
    ],
    [
      'apply',
      [deployment(), secret('other')],
      "403 program shop 1.0.0 may not create, patch deployments.apps: add { group: 'apps', resource: 'deployments', " +
        "verbs: ['create', 'patch'] } to permissions in its defineProgram",
    ],
    [
      'delete',
      [deployment('shop')],
      "403 program shop 1.0.0 may not delete deployments.apps in namespace shop: add { group: 'apps', resource: 'deployments', " +
        "verbs: ['delete'], namespace: 'shop' } to permissions in its defineProgram",
    ],
    [
      'apply',
      [secret('other')],
      "403 program shop 1.0.0 may not create secrets in namespace other: add { group: '', resource: 'secrets', " +
        "verbs: ['create'], namespace: 'other' } to permissions in its defineProgram",
    ],
  ]
  for (const [method, first, message] of missing) t.equal(answer(method, first), message)
})

void t.test('each method needs its own verbs, in the group of the object', async (t) => {
  const needed: Record<ClusterMethod, string[]> = {
    get: ['get'],
    list: ['list'],
    apply: ['create', 'patch'],
    delete: ['delete'],
    scaleDown: ['patch'],
    scaleUp: ['patch'],
    wait: ['get'],
  }
  const ruleOf = (verbs: string[], group = 'apps') => [{ group, resource: 'deployments', verbs }]
  for (const [method, verbs] of Object.entries(needed) as [ClusterMethod, string[]][]) {
    t.equal(answer(method, [deployment('shop')], ruleOf(verbs)), 'allowed', method)
    t.match(
      answer(method, [deployment('shop')], ruleOf(verbs, 'extensions')),
      /^403 /,
      `${method}, another group`,
    )
    for (const missing of verbs) {
      const others = ['get', 'list', 'create', 'patch', 'delete', 'watch'].filter((verb) => verb !== missing)
      const message = new RegExp(`^403 program shop 1.0.0 may not ${missing} deployments.apps`)
      t.match(answer(method, [deployment('shop')], ruleOf(others)), message, `${method} without ${missing}`)
    }
  }
})

void t.test('a call has at most 1000 objects', async (t) => {
  t.equal(
    answer(
      'apply',
      Array.from({ length: 1_000 }, () => secret('shop')),
    ),
    'allowed',
  )
  t.equal(
    answer(
      'apply',
      Array.from({ length: 1_001 }, () => secret('shop')),
    ),
    '400 cluster.apply: 1001 objects; pass at most 1000 at a time',
  )
})

void t.test('an object with two namespaces needs both', async (t) => {
  const both = { ...deployment('shop'), namespace: 'other' }
  t.match(answer('apply', [both]), /^403 .* in namespace other/)
  t.match(answer('apply', [{ ...deployment('other'), namespace: 'shop' }]), /^403 .* in namespace other/)
})

void t.test(
  'without rules everything is allowed, with an empty list nothing, and objects must be readable',
  async (t) => {
    t.doesNotThrow(() => checkPermissions('program', { method: 'delete', first: [secret('a')] }, undefined))
    t.match(answer('get', secret('a'), []), /^403/)
    for (const first of [
      undefined,
      null,
      'text',
      [null],
      {},
      { apiVersion: 'v1' },
      { apiVersion: 1, kind: 'Pod' },
      { ...secret('a'), namespace: 7 },
    ])
      t.match(
        answer('get', first),
        /^400 cluster\.get: each object needs a kind as text, and an apiVersion/,
        JSON.stringify(first),
      )
  },
)

void t.test('an apiVersion that two readers would read differently is refused', async (t) => {
  const rules = [{ group: 'apps', resource: '*', verbs: ['*'] }]
  for (const apiVersion of [
    'apps//v1',
    'apps/v1/',
    '/v1',
    'apps/',
    'apps/v1/x',
    'apps/../v1',
    'Apps/v1',
    'apps/v1?a',
    '',
  ])
    for (const given of [rules, undefined])
      t.match(
        answer('get', { ...secret('shop'), apiVersion }, given),
        /^400 cluster\.get: .* an apiVersion such as v1/,
        apiVersion,
      )
})
