import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const source =
  'k8s.io/apiserver pkg/admission/plugin/policy @ v0.36.3; Kubernetes documentation, Validating Admission Policy'

const policies = 'validatingadmissionpolicies'
const bindings = 'validatingadmissionpolicybindings'

const configMapRules = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
]

/** Matches the namespace of the case alone. */
const inNamespace = ({ namespace }: CaseClient) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
})

interface Given {
  readonly spec: object
  readonly binding?: object
}

/** Makes a policy with a binding for the namespace of the case, and removes both after `run`. */
async function withPolicy(client: CaseClient, { spec, binding = {} }: Given, run: () => Promise<void>) {
  const { namespace: name } = client
  const matchConstraints = { resourceRules: configMapRules }
  await client.make(policies, { metadata: { name }, spec: { matchConstraints, ...spec } })
  const bound = { policyName: name, validationActions: ['Deny'], matchResources: inNamespace(client) }
  await client.make(bindings, { metadata: { name }, spec: { ...bound, ...binding } })
  try {
    await run()
  } finally {
    await client.delete(`${bindings}/${name}`)
    await client.delete(`${policies}/${name}`)
  }
}

const configMap = (data: object, metadata: object = {}) => ({ metadata: { name: 'a', ...metadata }, data })

/** The answer to a create once the policy denies it with a text; a real server learns policies and parameters late. */
async function untilDenied(client: CaseClient, given: object, why = 'denied request'): Promise<Answer> {
  let answer = await client.post('configmaps?dryRun=All', given)
  await client.until(`the policy denies with ${why}`, async () => {
    answer = await client.post('configmaps?dryRun=All', given)
    return answer.text.includes(why)
  })
  return answer
}

function denied(
  client: CaseClient,
  answer: Answer,
  why: string,
  status: { code?: number; reason?: string } = {},
) {
  const { namespace: policy } = client
  const told = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${why}`
  client.expect.refused(answer, {
    code: 422,
    reason: 'Invalid',
    ...status,
    message: `configmaps "a" is forbidden: ${told}`,
    details: { name: 'a', kind: 'configmaps', causes: [{ message: told }] },
  })
}

/** A case about a policy that is not valid. */
function refusesPolicy(name: string, spec: object, ...because: readonly string[]): Case {
  return {
    name,
    source,
    async run(client) {
      const { namespace } = client
      const matchConstraints = { resourceRules: configMapRules }
      const body = { metadata: { name: namespace }, spec: { matchConstraints, ...spec } }
      client.expect.invalid(await client.post(`${policies}?dryRun=All`, body), {
        kind: 'ValidatingAdmissionPolicy',
        group: 'admissionregistration.k8s.io',
        name: namespace,
        because,
      })
    },
  }
}

/** ValidatingAdmissionPolicies with their bindings and parameters. */
export const admissionPolicies: CaseGroup = {
  name: 'admission-policies',
  cases: [
    {
      name: 'a policy denies by an expression, with the texts that it gives',
      source,
      async run(client) {
        const variables = [
          { name: 'size', expression: 'has(object.data) ? size(object.data) : 0' },
          { name: 'isSmall', expression: 'variables.size <= 1' },
        ]
        const validations = [
          {
            expression: 'variables.isSmall',
            messageExpression: '"there are " + string(variables.size) + " keys"',
          },
          { expression: '!("b" in object.data) ', message: ' without b ', reason: 'Forbidden' },
          { expression: 'object.metadata.name != "plain"' },
        ]
        await withPolicy(client, { spec: { variables, validations } }, async () => {
          denied(client, await untilDenied(client, configMap({ a: '1', c: '2' })), 'there are 2 keys')
          denied(client, await client.post('configmaps', configMap({ b: '1' })), 'without b', {
            code: 403,
            reason: 'Forbidden',
          })
          const plain = await client.post('configmaps', configMap({ a: '1' }, { name: 'plain' }))
          client.expect.has(plain.body, {
            message: /denied request: failed expression: object.metadata.name != "plain"$/,
          })
          client.expect.answer(await client.post('configmaps', configMap({ a: '1' })), 201)
          const change = await client.patch('configmaps/a', 'merge', { data: { c: '2' } })
          denied(client, change, 'there are 2 keys')
        })
      },
    },
    {
      name: 'the last of several variables with the same name wins',
      source,
      async run(client) {
        const variables = ['first', 'last'].map((text) => ({ name: 'a', expression: `"${text}"` }))
        const validations = [{ expression: 'false', messageExpression: '"the " + variables.a + " one"' }]
        await withPolicy(client, { spec: { variables, validations } }, async () => {
          denied(client, await untilDenied(client, configMap({ a: '1' })), 'the last one')
        })
      },
    },
    {
      name: 'a policy has parameters, the old object, the request and the namespace',
      source,
      async run(client) {
        const { namespace } = client
        await client.make('configmaps', {
          metadata: { name: 'limits', labels: { kind: 'limits' } },
          data: { max: '2' },
        })
        const spec = {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConditions: [
            { name: 'not-limits', expression: 'object.metadata.name != params.metadata.name' },
          ],
          validations: [
            { expression: 'size(object.data) <= int(params.data.max)', message: 'too large' },
            {
              expression: 'request.operation != "UPDATE" || oldObject.data.a == object.data.a',
              message: 'a is fixed',
            },
            { expression: `namespaceObject.metadata.name == "${namespace}"`, message: 'another namespace' },
          ],
        }
        const paramRef = { name: 'limits', namespace, parameterNotFoundAction: 'Deny' }
        await withPolicy(client, { spec, binding: { paramRef } }, async () => {
          denied(
            client,
            await untilDenied(client, configMap({ a: '1', b: '2', c: '3' }), 'too large'),
            'too large',
          )
          client.expect.answer(await client.post('configmaps', configMap({ a: '1', b: '2' })), 201)
          denied(client, await client.patch('configmaps/a', 'merge', { data: { a: 'x' } }), 'a is fixed')
        })
      },
    },
    {
      name: 'a binding without its parameters denies or allows',
      source,
      async run(client) {
        const spec = {
          // A real server stops to follow a kind of parameters when a policy with it goes, so no other case has this
          // one.
          paramKind: { apiVersion: 'v1', kind: 'Secret' },
          validations: [{ expression: 'params == null || size(object.data) <= 2' }],
        }
        const paramRef = { selector: { matchLabels: { no: 'such' } }, parameterNotFoundAction: 'Deny' }
        await withPolicy(client, { spec, binding: { paramRef } }, async () => {
          denied(
            client,
            await untilDenied(client, configMap({ a: '1' })),
            'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
          )
        })
      },
    },
    {
      name: 'an expression that fails denies, unless the policy ignores errors',
      source,
      async run(client) {
        const validations = [{ expression: 'object.data.missing == "x"' }]
        await withPolicy(client, { spec: { validations } }, async () => {
          denied(
            client,
            await untilDenied(client, configMap({ a: '1' })),
            `expression 'object.data.missing == "x"' resulted in error: no such key: missing`,
          )
        })
        const ignoring = {
          failurePolicy: 'Ignore',
          validations: [...validations, { expression: '!("no" in object.data)' }],
        }
        await withPolicy(client, { spec: ignoring }, async () => {
          await untilDenied(client, configMap({ no: '1' }), 'failed expression')
          client.expect.answer(await client.post('configmaps?dryRun=All', configMap({ a: '1' })), 201)
        })
      },
    },
    {
      name: 'a binding can warn instead',
      source,
      async run(client) {
        const { namespace: name } = client
        const validations = [{ expression: '!("b" in object.data)', message: 'b is old' }]
        const binding = { validationActions: ['Warn', 'Audit'] }
        await withPolicy(client, { spec: { validations }, binding }, async () => {
          let answer = await client.post('configmaps?dryRun=All', configMap({ b: '1' }))
          await client.until('the policy is in force', async () => {
            answer = await client.post('configmaps?dryRun=All', configMap({ b: '1' }))
            return answer.headers.warning !== undefined
          })
          client.expect.answer(answer, 201)
          client.expect.same(
            answer.headers.warning,
            `299 - "Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': b is old"`,
          )
        })
      },
    },
    {
      name: 'rules select by name and exclude, and a delete has only the old object',
      source,
      async run(client) {
        await client.make('configmaps', configMap({ keep: 'yes' }))
        await client.make('configmaps', configMap({ keep: 'yes' }, { name: 'b' }))
        const [rule] = configMapRules
        const spec = {
          matchConstraints: {
            resourceRules: [{ ...rule, operations: ['DELETE', 'CREATE'] }],
            excludeResourceRules: [{ ...rule, operations: ['*'], resourceNames: ['b'] }],
          },
          validations: [
            { expression: 'object != null || oldObject.data.keep != "yes"', message: 'it is kept' },
            { expression: 'object == null || object.metadata.name != "probe"', message: 'a probe' },
          ],
        }
        await withPolicy(client, { spec }, async () => {
          await untilDenied(client, configMap({}, { name: 'probe' }))
          denied(client, await client.delete('configmaps/a'), 'it is kept')
          client.expect.answer(await client.delete('configmaps/b'), 200)
        })
        client.expect.answer(await client.get('configmaps/a'), 200)
      },
    },
    refusesPolicy(
      'an expression that does not compile is refused',
      { validations: [{ expression: 'size("x")' }, { expression: 'params.x' }] },
      'spec.validations[0].expression: Invalid value: "size(\\"x\\")": must evaluate to bool but got int',
      `spec.validations[1].expression: Invalid value: "params.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^`,
    ),
    refusesPolicy(
      'a policy needs rules, and something to check',
      { matchConstraints: {}, validations: [] },
      'spec.matchConstraints.resourceRules: Required value',
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ),
    {
      name: 'a binding names what it does',
      source,
      async run(client) {
        const { namespace: name } = client
        const spec = { policyName: 'x', validationActions: ['Deny', 'Warn', 'Deny'], paramRef: {} }
        const answer = await client.post(`${bindings}?dryRun=All`, { metadata: { name }, spec })
        client.expect.invalid(answer, {
          kind: 'ValidatingAdmissionPolicyBinding',
          group: 'admissionregistration.k8s.io',
          name,
          because: [
            'spec.paramRef: Required value: one of name or selector must be specified',
            'spec.paramRef.parameterNotFoundAction: Required value',
            'spec.validationActions[2]: Duplicate value: "Deny"',
            'spec.validationActions: Invalid value: ["Deny","Warn","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ],
        })
      },
    },
  ],
}
