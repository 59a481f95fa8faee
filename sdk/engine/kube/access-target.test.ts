import t from 'tap'
import { reviewAttributes, ruleTarget } from './access-target.js'

void t.test('a permission is for a kind, for a part of one, or for a URL', async (t) => {
  const where = { group: 'apps', verb: 'get', namespace: 'web' }
  t.strictSame(reviewAttributes({ ...where, resource: 'deployments/scale', name: 'one' }), {
    resourceAttributes: {
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      verb: 'get',
      namespace: 'web',
      name: 'one',
    },
  })
  t.strictSame(reviewAttributes({ ...where, group: '', resource: '/metrics/slow' }), {
    nonResourceAttributes: { path: '/metrics/slow', verb: 'get' },
  })
  t.strictSame(ruleTarget({ group: 'apps', resource: 'deployments' }), {
    apiGroups: ['apps'],
    resources: ['deployments'],
  })
  t.strictSame(ruleTarget({ group: '', resource: '/metrics' }), { nonResourceURLs: ['/metrics'] })
  t.strictSame(ruleTarget({ group: '', resource: '/*' }), { nonResourceURLs: ['*'] }, 'all URLs')
})
