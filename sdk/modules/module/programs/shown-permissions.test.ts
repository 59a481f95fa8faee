import t from 'tap'
import type { PolicyRule } from '../../manager/policy-rule.js'
import { shownPermissions } from './shown-permissions.js'

const rule = (resource: string, verbs = ['get']): PolicyRule => ({ group: '', resource, verbs })

void t.test('rules are shown as they are, and a program without rules shows none', (t) => {
  const rules = [rule('secrets'), { ...rule('pods', ['*']), namespace: 'shop' }]
  t.strictSame(shownPermissions(rules), { permissions: rules })
  t.strictSame(shownPermissions([]), { permissions: [] })
  t.strictSame(shownPermissions(undefined), {})
  t.end()
})

void t.test('a long list is cut, and does not hide the widest rules', (t) => {
  const many = Array.from({ length: 199 }, (_, at) => rule(`kind${at}`))
  const { permissions = [], permissionsLeftOut } = shownPermissions([...many, rule('*', ['delete'])])
  t.strictSame(permissions[0], rule('*', ['delete']))
  t.equal(permissions.length, 20)
  t.equal(permissionsLeftOut, 180)
  const long = Array.from({ length: 20 }, () => rule('x'.repeat(253), Array(20).fill('y'.repeat(253))))
  const cut = shownPermissions([...long, rule('pods')])
  t.strictSame(cut, { permissions: [rule('pods')], permissionsLeftOut: 20 })
  t.end()
})
