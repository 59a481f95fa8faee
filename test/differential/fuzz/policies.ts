import type { ClusterUnderTest } from '../../conformance/cluster-under-test.js'
import { until } from '../../until.js'
import type { Json } from '../subjects.js'

/** The label of namespaces whose objects the policies and webhooks of both servers judge. */
export const judged = 'fuzz.example.com/judged'

const registration = '/apis/admissionregistration.k8s.io/v1'
const policy = 'fuzz.example.com'
const namespaceSelector = { matchLabels: { [judged]: 'yes' } }
const rules = [
  {
    apiGroups: ['', 'apps', 'batch'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['*'],
  },
]
const matchConstraints = { resourceRules: rules, namespaceSelector }
/** An object that the policies deny and the webhook changes; for the check that they are in force. */
const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'probe', labels: { team: 'b' } } }

/** Configures the same policies and webhooks on a server, and waits until they are in force. */
export async function configureAdmission(
  cluster: ClusterUnderTest,
  webhooks: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  const make = async (path: string, body: Json) => {
    const { status, text } = await post(cluster, path, body)
    if (status !== 201) throw new Error(`cannot configure admission on ${cluster.name}: ${text}`)
  }
  await make('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'judged', labels: namespaceSelector.matchLabels },
  })
  for (const [plural, object] of objects(webhooks)) await make(`${registration}/${plural}`, object)
  await until(async () => {
    const { text } = await post(cluster, '/api/v1/namespaces/judged/configmaps?dryRun=All', probe)
    const changed = await post(cluster, '/api/v1/namespaces/judged/configmaps?dryRun=All', {
      ...probe,
      metadata: { name: 'probe' },
    })
    const { headers } = changed
    return (
      text.includes('team b is full') &&
      changed.text.includes('"reviewed"') &&
      changed.text.includes('"mutated"') &&
      (headers.warning ?? '').includes('few annotations') &&
      (headers.warning ?? '').includes('reviewed by a webhook')
    )
  })
}

function post(cluster: ClusterUnderTest, path: string, body: Json) {
  const headers = { 'content-type': 'application/json' }
  return cluster.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
}

function* objects(webhooks: { url: string; caBundle: string }): Iterable<[plural: string, object: Json]> {
  const named = (kind: string, name: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
  })
  for (const { name, validation, actions } of validations) {
    const spec = { matchConstraints, validations: [validation] }
    yield ['validatingadmissionpolicies', { ...named('ValidatingAdmissionPolicy', name), spec }]
    const bound = { policyName: name, validationActions: actions }
    yield [
      'validatingadmissionpolicybindings',
      { ...named('ValidatingAdmissionPolicyBinding', name), spec: bound },
    ]
  }
  const expression = `Object{metadata: Object.metadata{annotations: {"mutated": string(object.metadata.?labels.team.hasValue())}}}`
  const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
  // A kube-apiserver cannot convert Events for a mutating policy, and denies them.
  const excludeResourceRules = [{ ...rules[0], resources: ['events'] }]
  const constraints = { ...matchConstraints, excludeResourceRules }
  const spec = { matchConstraints: constraints, reinvocationPolicy: 'Never', mutations: [mutation] }
  yield ['mutatingadmissionpolicies', { ...named('MutatingAdmissionPolicy', policy), spec }]
  yield [
    'mutatingadmissionpolicybindings',
    { ...named('MutatingAdmissionPolicyBinding', policy), spec: { policyName: policy } },
  ]
  for (const type of ['Mutating', 'Validating']) {
    const kind = `${type}WebhookConfiguration`
    const clientConfig = { url: `${webhooks.url}/${type}`, caBundle: webhooks.caBundle }
    const own = { name: 'a.fuzz.example.com', clientConfig, rules, namespaceSelector }
    const settings = { admissionReviewVersions: ['v1'], sideEffects: 'None', timeoutSeconds: 10 }
    yield [`${kind.toLowerCase()}s`, { ...named(kind, policy), webhooks: [{ ...own, ...settings }] }]
  }
}

const validations = [
  {
    name: 'deny.fuzz.example.com',
    validation: {
      expression: 'object.metadata.?labels.team.orValue("") != "b"',
      message: 'team b is full',
      reason: 'Forbidden',
    },
    actions: ['Deny'],
  },
  {
    name: 'warn.fuzz.example.com',
    validation: {
      expression: 'size(object.metadata.?annotations.orValue({})) > 2',
      messageExpression: '"few annotations: " + object.metadata.name',
    },
    actions: ['Warn'],
  },
]

interface Review {
  readonly request: {
    readonly uid: string
    readonly object: { readonly metadata?: { readonly annotations?: object; readonly labels?: Json } }
  }
}

/** The answers of the webhooks: objects get an annotation, and those of tier x are denied. */
export function answerReview(path: string, review: unknown): object {
  const { uid, object } = (review as Review).request
  const { annotations, labels } = object.metadata ?? {}
  const add =
    annotations === undefined
      ? { op: 'add', path: '/metadata/annotations', value: { reviewed: 'yes' } }
      : { op: 'add', path: '/metadata/annotations/reviewed', value: 'yes' }
  const response =
    path === '/Mutating'
      ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify([add])).toString('base64') }
      : {
          allowed: labels?.tier !== 'x',
          status: { message: 'tier x is closed' },
          warnings: ['reviewed by a webhook'],
        }
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...response },
  }
}
