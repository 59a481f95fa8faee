// Tests that the kinds of records are those that the role edit may write.
import t from 'tap'
import { bootstrapRoles } from '../../../apiserver/controllers/bootstrap-roles.js'
import { pluralOf } from '../../operator/kind/define/plural.js'
import { editableKinds } from './editable-kinds.js'

const { rules = [] } = bootstrapRoles.find(({ name }) => name === 'system:aggregate-to-edit') ?? {}

const mayWrite = (text: string) => {
  const [kind = '', ...group] = text.split('.')
  return rules.some(
    ({ verbs = [], apiGroups = [], resources = [] }) =>
      ['create', 'update', 'patch', 'delete'].every((verb) => verbs.includes(verb)) &&
      apiGroups.includes(group.join('.')) &&
      resources.includes(pluralOf(kind)),
  )
}

void t.test('each one is a kind that the role may write', async (t) => {
  t.strictSame(
    editableKinds.filter((kind) => !mayWrite(kind)),
    [],
  )
  t.notOk(mayWrite('Role.rbac.authorization.k8s.io'))
})
