import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { formatDuration } from '../age.js'
import { elementsAt, lengthOf, text, textOr } from './cell.js'
import type { Cell, CellsByResource } from './column.js'

const bindings = {
  Role: (object: OpenObject) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  Users: subjectsOf('User', ({ name }) => String(name)),
  Groups: subjectsOf('Group', ({ name }) => String(name)),
  ServiceAccounts: subjectsOf(
    'ServiceAccount',
    (object) => `${textAt(object, 'namespace')}/${textAt(object, 'name')}`,
  ),
}
const policyBindings = { PolicyName: text('spec', 'policyName'), ParamRef: parameterOf }
const webhooks = { Webhooks: lengthOf('webhooks') }

/** The cells of bindings, certificates, policies and webhooks. */
export const accessCells: CellsByResource = {
  'rolebindings.rbac.authorization.k8s.io': bindings,
  'clusterrolebindings.rbac.authorization.k8s.io': bindings,
  'certificatesigningrequests.certificates.k8s.io': {
    SignerName: textOr('<none>', 'spec', 'signerName'),
    Requestor: text('spec', 'username'),
    RequestedDuration: requestedDuration,
    Condition: requestCondition,
  },
  'mutatingadmissionpolicies.admissionregistration.k8s.io': {
    Mutations: lengthOf('spec', 'mutations'),
    ParamKind: parameterKind,
  },
  'validatingadmissionpolicies.admissionregistration.k8s.io': {
    Validations: lengthOf('spec', 'validations'),
    ParamKind: parameterKind,
  },
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindings,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindings,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
}

function subjectsOf(desired: string, show: (subject: Record<string, unknown>) => string): Cell {
  return (object) =>
    elementsAt(object, 'subjects')
      .filter(({ kind }) => kind === desired)
      .map(show)
      .join(', ')
}

function requestedDuration(object: OpenObject): string {
  const seconds = fieldAt(object, 'spec', 'expirationSeconds')
  return seconds === undefined ? '<none>' : formatDuration(Number(seconds))
}

function requestCondition(object: OpenObject): string {
  const types = elementsAt(object, 'status', 'conditions').map(({ type }) => type)
  const decision = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending'
  const failed = types.includes('Failed') ? ',Failed' : ''
  return `${decision}${failed}${textAt(object, 'status', 'certificate') === '' ? '' : ',Issued'}`
}

function parameterKind(object: OpenObject): string {
  const kind = fieldAt(object, 'spec', 'paramKind')
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`
}

function parameterOf(object: OpenObject): string {
  const parameter = fieldAt(object, 'spec', 'paramRef')
  const name = textAt(parameter, 'name')
  if (name !== '') return `${textAt(parameter, 'namespace') || '*'}/${name}`
  const selector = fieldAt(parameter, 'selector')
  return selector === undefined ? '<unset>' : goSelector(selector)
}

/** A selector in Go's format of the struct. */
function goSelector(selector: unknown): string {
  const labels = Object.entries(recordOf(fieldAt(selector, 'matchLabels'))).sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const expressions = elementsAt(selector, 'matchExpressions').map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${Array.isArray(values) ? values.join(' ') : ''}],}`,
  )
  const labelsText = labels.map(([key, value]) => `${key}: ${value},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${labelsText}},MatchExpressions:[]LabelSelectorRequirement{${expressions.map((each) => `${each},`).join('')}},}`
}
