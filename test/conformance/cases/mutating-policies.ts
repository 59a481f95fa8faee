import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const source =
  'k8s.io/apiserver pkg/admission/plugin/policy/mutating @ v0.36.3; Kubernetes documentation, Mutating Admission Policy'

const policies = 'mutatingadmissionpolicies'
const bindings = 'mutatingadmissionpolicybindings'

const rulesFor = (group: string, version: string, resource: string) => ({
  resourceRules: [
    { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [resource] },
  ],
})
const onConfigMaps = rulesFor('', 'v1', 'configmaps')

interface Given {
  readonly spec: object
  readonly binding?: object
}

/** Makes a policy with a binding for the namespace of the case, and removes both after `run`. */
async function withPolicy(client: CaseClient, { spec, binding = {} }: Given, run: () => Promise<void>) {
  const { namespace: name } = client
  const common = { matchConstraints: onConfigMaps, reinvocationPolicy: 'Never' }
  await client.make(policies, { metadata: { name }, spec: { ...common, ...spec } })
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': name } }
  await client.make(bindings, {
    metadata: { name },
    spec: { policyName: name, matchResources: { namespaceSelector }, ...binding },
  })
  try {
    await run()
  } finally {
    await client.delete(`${bindings}/${name}`)
    await client.delete(`${policies}/${name}`)
  }
}

const apply = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

/** Creates an object until the policy is in force, which a real server needs a moment for. */
async function untilAnswer(
  client: CaseClient,
  { reference, body, shows }: { reference: string; body: object; shows: string },
): Promise<Answer> {
  let answer = await client.post(`${reference}?dryRun=All`, body)
  await client.until(`the answer shows ${shows}`, async () => {
    answer = await client.post(`${reference}?dryRun=All`, body)
    return answer.text.includes(shows)
  })
  return answer
}

/** A case about a policy that is not valid. */
function refusesPolicy(name: string, spec: object, ...because: readonly string[]): Case {
  return {
    name,
    source,
    async run(client) {
      const { namespace } = client
      const common = { matchConstraints: onConfigMaps, reinvocationPolicy: 'Never' }
      const body = { metadata: { name: namespace }, spec: { ...common, ...spec } }
      client.expect.invalid(await client.post(`${policies}?dryRun=All`, body), {
        kind: 'MutatingAdmissionPolicy',
        group: 'admissionregistration.k8s.io',
        name: namespace,
        because,
      })
    },
  }
}

/** MutatingAdmissionPolicies with their bindings and parameters. */
export const mutatingPolicies: CaseGroup = {
  name: 'mutating-policies',
  cases: [
    {
      name: 'configurations are merged into an object, in their order, with variables',
      source,
      async run(client) {
        const spec = {
          variables: [{ name: 'team', expression: '"team" in object.data ? object.data.team : "none"' }],
          mutations: [
            apply(
              'Object{metadata: Object.metadata{labels: {"team": variables.team}, annotations: {"first": "a, b{"}}}',
            ),
            apply(
              'Object{metadata: Object.metadata{annotations: {"labels": string(size(object.metadata.labels))}}}',
            ),
          ],
        }
        await withPolicy(client, { spec }, async () => {
          const body = { metadata: { name: 'a', labels: { mine: 'x' } }, data: { team: 'blue' } }
          const answer = await untilAnswer(client, { reference: 'configmaps', body, shows: 'first' })
          client.expect.answer(answer, 201, {
            metadata: {
              labels: { mine: 'x', team: 'blue' },
              annotations: { first: 'a, b{', labels: '2' },
            },
            data: { team: 'blue' },
          })
        })
      },
    },
    {
      name: 'a container is merged by its name, and a new one is added',
      source,
      async run(client) {
        const spec = {
          matchConstraints: rulesFor('', 'v1', 'pods'),
          matchConditions: [{ name: 'plain', expression: '!has(object.spec.initContainers)' }],
          mutations: [
            apply(`Object{
              spec: Object.spec{
                terminationGracePeriodSeconds: 5,
                containers: object.spec.containers.map(each, Object.spec.containers{
                  name: each.name,
                  imagePullPolicy: "Never"
                }),
                initContainers: [Object.spec.initContainers{name: "added", image: "i"}]
              }
            }`),
          ],
        }
        await withPolicy(client, { spec }, async () => {
          const containers = [{ name: 'c', image: 'i' }]
          const body = { metadata: { name: 'a' }, spec: { automountServiceAccountToken: false, containers } }
          const answer = await untilAnswer(client, { reference: 'pods', body, shows: 'added' })
          client.expect.answer(answer, 201, {
            spec: {
              terminationGracePeriodSeconds: 5,
              containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }],
              initContainers: [{ name: 'added', image: 'i', terminationMessagePolicy: 'File' }],
            },
          })
        })
      },
    },
    {
      name: 'a JSON patch changes an object, and keys are escaped',
      source,
      async run(client) {
        const spec = {
          mutations: [
            patch(
              `[
              JSONPatch{op: "test", path: "/data/a", value: "1"},
              JSONPatch{op: "replace", path: "/data/a", value: "2"},
              JSONPatch{op: "add", path: "/metadata/labels", value: {}},
              JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/x~y"), value: "set"}
            ]`.replace('x~y', 'x'),
            ),
          ],
        }
        await withPolicy(client, { spec }, async () => {
          const body = { metadata: { name: 'a' }, data: { a: '1' } }
          const answer = await untilAnswer(client, { reference: 'configmaps', body, shows: 'example.com/x' })
          client.expect.answer(answer, 201, {
            metadata: { labels: { 'example.com/x': 'set' } },
            data: { a: '2' },
          })
          const other = await client.post('configmaps?dryRun=All', { ...body, data: { a: '3' } })
          client.expect.answer(other, 201, { data: { a: '3' }, metadata: { labels: undefined } })
        })
      },
    },
    {
      name: 'an error denies the request, unless the policy ignores errors',
      source,
      async run(client) {
        const { namespace: policy } = client
        const mutations = [apply('Object{metadata: Object.metadata{labels: {"a": object.data.missing}}}')]
        const body = { metadata: { name: 'a' }, data: { b: '1' } }
        await withPolicy(client, { spec: { mutations } }, async () => {
          const answer = await untilAnswer(client, { reference: 'configmaps', body, shows: 'denied request' })
          client.expect.has(answer, {
            status: 403,
            body: {
              reason: 'Invalid',
              message: new RegExp(
                `^policy '${policy}' with binding '${policy}' denied request: expression '.*' resulted in error: no such key: missing$`,
              ),
              details: { name: 'a', kind: 'configmaps' },
            },
          })
        })
        const marked = apply('Object{metadata: Object.metadata{labels: {"marked": "yes"}}}')
        const ignoring = { failurePolicy: 'Ignore', mutations: [marked, ...mutations] }
        await withPolicy(client, { spec: ignoring }, async () => {
          const answer = await untilAnswer(client, { reference: 'configmaps', body, shows: 'marked' })
          client.expect.answer(answer, 201, { metadata: { labels: { marked: 'yes' } } })
        })
      },
    },
    {
      name: 'a list that can only be replaced as a whole is not merged',
      source,
      async run(client) {
        const spec = {
          matchConstraints: rulesFor('', 'v1', 'pods'),
          mutations: [
            apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", args: ["x"]}]}}'),
          ],
        }
        await withPolicy(client, { spec }, async () => {
          const containers = [{ name: 'c', image: 'i' }]
          const body = { metadata: { name: 'a' }, spec: { automountServiceAccountToken: false, containers } }
          const answer = await untilAnswer(client, { reference: 'pods', body, shows: 'denied request' })
          client.expect.has(answer.body, {
            message:
              /error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .*args$/,
          })
        })
      },
    },
    {
      name: 'the type of a literal is the path of its field',
      source,
      async run(client) {
        const spec = { mutations: [apply('Object{metadata: Object.spec{labels: {"a": "b"}}}')] }
        await withPolicy(client, { spec }, async () => {
          const body = { metadata: { name: 'a' } }
          const answer = await untilAnswer(client, { reference: 'configmaps', body, shows: 'denied request' })
          client.expect.has(answer.body, {
            message:
              /denied request: type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type$/,
          })
        })
      },
    },
    refusesPolicy(
      'a policy needs a mutation of one type, for creates and updates',
      {
        matchConstraints: {
          resourceRules: [{ ...onConfigMaps.resourceRules[0], operations: ['CREATE', 'DELETE'] }],
        },
        mutations: [
          { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } },
          { patchType: 'Merge' },
          {},
        ],
      },
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      'spec.mutations[1].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
      'spec.mutations[2].patchType: Required value',
    ),
    refusesPolicy(
      'a mutation that does not compile is refused',
      { mutations: [apply('Object{metadata: Object.metadata{labels: params.data}}')] },
      `spec.mutations[0].applyConfiguration.expression: Invalid value: "Object{metadata: Object.metadata{labels: params.data}}": compilation failed: ERROR: <input>:1:42: undeclared reference to 'params' (in container '')\n | Object{metadata: Object.metadata{labels: params.data}}\n | .........................................^`,
    ),
  ],
}
