import type { Case, CaseGroup } from '../case.js'

const source = 'k8s.io/kubernetes pkg/apis/admissionregistration/validation/validation.go @ v1.36.3'
const kind = { mutating: 'MutatingWebhookConfiguration', validating: 'ValidatingWebhookConfiguration' }
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
}
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const form = 'desired format: https://host[/path]'

interface Refusal {
  readonly type?: keyof typeof kind
  readonly webhooks: readonly object[]
  readonly because: readonly string[]
}

function refuses(name: string, { type = 'validating', webhooks, because }: Refusal): Case {
  return {
    name,
    source,
    async run({ post, namespace, expect }) {
      const answer = await post(`${type}webhookconfigurations?dryRun=All`, {
        metadata: { name: namespace },
        webhooks,
      })
      const group = 'admissionregistration.k8s.io'
      expect.invalid(answer, { kind: kind[type], group, name: namespace, because })
    },
  }
}

const refusesUrl = (url: string, ...because: string[]): Refusal => ({
  webhooks: [{ ...webhook, clientConfig: { url } }],
  because: because.map((why) => `webhooks[0].clientConfig.url: ${why}`),
})

/** Which configurations of admission webhooks are valid. */
export const webhookConfigurations: CaseGroup = {
  name: 'webhook-configurations',
  cases: [
    {
      name: 'a configuration gets the defaults of its webhooks and rules',
      source,
      async run({ post, namespace, expect }) {
        const service = { name: 's', namespace: 'n' }
        const answer = await post('mutatingwebhookconfigurations?dryRun=All', {
          metadata: { name: namespace },
          webhooks: [{ ...webhook, clientConfig: { service }, rules: [rule] }],
        })
        const defaults = {
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          reinvocationPolicy: 'Never',
          timeoutSeconds: 10,
          clientConfig: { service: { ...service, port: 443 } },
          rules: [{ ...rule, scope: '*' }],
        }
        expect.answer(answer, 201, { webhooks: [defaults] })
      },
    },
    refuses('a webhook needs a name, an address, versions and side effects', {
      webhooks: [{}],
      because: [
        'webhooks[0].name: Required value',
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
        'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
        'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
      ],
    }),
    refuses('the name of a webhook is a domain with three segments, and unique', {
      webhooks: [{ ...webhook, name: 'a.b' }, { ...webhook, name: 'A.b.c' }, webhook, webhook],
      because: [
        'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
        `webhooks[1].name: Invalid value: "A.b.c": ${subdomain}`,
        'webhooks[3].name: Duplicate value: "a.example.com"',
      ],
    }),
    refuses('the policies of a webhook are known ones', {
      type: 'mutating',
      webhooks: [
        {
          ...webhook,
          failurePolicy: 'Maybe',
          matchPolicy: 'Some',
          sideEffects: 'Some',
          timeoutSeconds: 31,
          reinvocationPolicy: 'Always',
        },
      ],
      because: [
        'webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
        'webhooks[0].matchPolicy: Unsupported value: "Some": supported values: "Equivalent", "Exact"',
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
        'webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
      ],
    }),
    refuses('an empty policy is not an absent one', {
      webhooks: [
        { ...webhook, failurePolicy: '', matchPolicy: '', sideEffects: '', rules: [{ ...rule, scope: '' }] },
      ],
      because: [
        'webhooks[0].rules[0].scope: Unsupported value: "": supported values: "*", "Cluster", "Namespaced"',
        'webhooks[0].failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"',
        'webhooks[0].matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"',
        'webhooks[0].sideEffects: Unsupported value: "": supported values: "None", "NoneOnDryRun"',
      ],
    }),
    refuses('the versions of reviews contain a known one, each once', {
      webhooks: [{ ...webhook, admissionReviewVersions: ['v2', 'v2', 'V3'] }],
      because: [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        "webhooks[0].admissionReviewVersions[2]: Invalid value: \"V3\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2","V3"]: must include at least one of v1, v1beta1',
      ],
    }),
    refuses('a rule names operations, groups, versions and resources', {
      webhooks: [{ ...webhook, rules: [{}] }],
      because: [
        'webhooks[0].rules[0].operations: Required value',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions: Required value',
        'webhooks[0].rules[0].resources: Required value',
      ],
    }),
    refuses('a wildcard of a rule is alone', {
      webhooks: [
        {
          ...webhook,
          rules: [
            {
              operations: ['*', 'PATCH'],
              apiGroups: ['*', ''],
              apiVersions: ['*', ''],
              resources: ['*', 'pods', '', 'pods/*', 'pods/status', '*/scale', 'jobs/scale', '*/*'],
              scope: 'Some',
            },
          ],
        },
      ],
      because: [
        'webhooks[0].rules[0].operations: Invalid value: ["*","PATCH"]: if \'*\' is present, must not specify other operations',
        'webhooks[0].rules[0].operations[1]: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        'webhooks[0].rules[0].apiGroups: Invalid value: ["*",""]: if \'*\' is present, must not specify other API groups',
        'webhooks[0].rules[0].apiVersions: Invalid value: ["*",""]: if \'*\' is present, must not specify other API versions',
        'webhooks[0].rules[0].apiVersions[1]: Required value',
        'webhooks[0].rules[0].resources[2]: Required value',
        'webhooks[0].rules[0].resources[4]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status',
        'webhooks[0].rules[0].resources[6]: Invalid value: "jobs/scale": if \'*/scale\' is present, must not specify jobs/scale',
        'webhooks[0].rules[0].resources: Invalid value: ["*","pods","","pods/*","pods/status","*/scale","jobs/scale","*/*"]: if \'*/*\' is present, must not specify other resources',
        'webhooks[0].rules[0].resources: Invalid value: ["*","pods","","pods/*","pods/status","*/scale","jobs/scale","*/*"]: if \'*\' is present, must not specify other resources without subresources',
        'webhooks[0].rules[0].scope: Unsupported value: "Some": supported values: "*", "Cluster", "Namespaced"',
      ],
    }),
    refuses(
      'a URL needs https and a host',
      refusesUrl(
        'http:///x',
        `Invalid value: "http": 'https' is the only allowed URL scheme; ${form}`,
        `Invalid value: "": host must be specified; ${form}`,
      ),
    ),
    refuses(
      'a URL has no user, query or fragment',
      refusesUrl(
        'https://me@host/x?y=z#f',
        'Invalid value: "me": user information is not permitted in the URL',
        'Invalid value: "f": fragments are not permitted in the URL',
        'Invalid value: "y=z": query parameters are not permitted in the URL',
      ),
    ),
    refuses('a Service needs a name, a namespace, a port and a path', {
      webhooks: [
        { ...webhook, clientConfig: { service: { name: '', namespace: '', port: 0, path: 'x' } } },
        {
          ...webhook,
          name: 'b.example.com',
          clientConfig: { service: { name: 's', namespace: 'n', path: '/a//b' } },
        },
        {
          ...webhook,
          name: 'c.example.com',
          clientConfig: { ...webhook.clientConfig, service: { name: 's', namespace: 'n' } },
        },
      ],
      because: [
        'webhooks[0].clientConfig.service.name: Required value',
        'webhooks[0].clientConfig.service.namespace: Required value',
        'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
        'webhooks[0].clientConfig.service.path: Invalid value: "x": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty',
        'webhooks[1].clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
        'webhooks[2].clientConfig: Required value: exactly one of url or service is required',
      ],
    }),
    refuses('match conditions have names and expressions, each name once', {
      webhooks: [
        {
          ...webhook,
          matchConditions: [
            { name: '', expression: 'true' },
            { name: 'a', expression: '' },
            { name: 'a', expression: '"x"' },
            { name: 'b', expression: 'unknown.x' },
          ],
        },
      ],
      because: [
        'webhooks[0].matchConditions[0].name: Required value',
        'webhooks[0].matchConditions[1].expression: Required value',
        'webhooks[0].matchConditions[2].expression: Invalid value: "\\"x\\"": must evaluate to bool but got string',
        'webhooks[0].matchConditions[2].name: Duplicate value: "a"',
        "webhooks[0].matchConditions[3].expression: Invalid value: \"unknown.x\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'unknown' (in container '')\n | unknown.x\n | ^",
      ],
    }),
  ],
}
