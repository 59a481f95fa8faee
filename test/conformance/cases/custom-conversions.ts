import type { Case, CaseGroup } from '../case.js'
import { define, definitionOf } from '../custom-resource.js'

const source = 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go @ v0.36.3'
const clientConfig = { url: 'https://a.invalid/convert' }
const clientPath = 'spec.conversion.webhookClientConfig'
const versionsPath = 'spec.conversion.conversionReviewVersions'
const onlyForWebhooks = 'Forbidden: should not be set when strategy is not set to Webhook'

/** An error of `spec.conversion` of a new definition. */
function refuses(name: string, conversion: object, ...because: readonly string[]): Case {
  return {
    name,
    source,
    async run(client) {
      const definition = definitionOf(client) as { metadata: { name: string }; spec: object }
      const spec = { ...definition.spec, conversion }
      const answer = await client.post('customresourcedefinitions', { ...definition, spec })
      const subject = { kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' }
      client.expect.invalid(answer, { ...subject, name: definition.metadata.name, because })
    },
  }
}

const byWebhook = (webhook: object) => ({ strategy: 'Webhook', webhook })

/** Mistakes in the conversion and the name of a definition. */
export const customConversions: CaseGroup = {
  name: 'custom-conversions',
  cases: [
    refuses(
      'one of the versions of reviews must be known',
      byWebhook({ clientConfig, conversionReviewVersions: ['v2'] }),
      `${versionsPath}: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
    ),
    refuses(
      'versions of reviews are not repeated',
      byWebhook({ clientConfig, conversionReviewVersions: ['v1', 'v1'] }),
      `${versionsPath}[1]: Invalid value: "v1": duplicate version`,
    ),
    refuses(
      'a webhook must have an address and versions',
      byWebhook({ conversionReviewVersions: [] }),
      `${clientPath}: Required value: required when strategy is set to Webhook`,
      `${versionsPath}: Required value`,
    ),
    refuses(
      'a webhook has one address',
      byWebhook({ clientConfig: {}, conversionReviewVersions: ['v1'] }),
      `${clientPath}: Required value: exactly one of url or service is required`,
    ),
    refuses(
      'the URL of a webhook is one of HTTPS',
      byWebhook({ clientConfig: { url: 'http://a.invalid' }, conversionReviewVersions: ['v1'] }),
      `${clientPath}.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    ),
    refuses(
      'the Service of a webhook has a port',
      byWebhook({
        clientConfig: { service: { namespace: 'a', name: 'b', port: 0 } },
        conversionReviewVersions: ['v1'],
      }),
      `${clientPath}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
    ),
    refuses(
      'without a webhook there is nothing about one',
      { strategy: 'None', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      `${clientPath}: ${onlyForWebhooks}`,
      `${versionsPath}: ${onlyForWebhooks}`,
    ),
    {
      name: 'a definition without a name is refused',
      source,
      async run(client) {
        const answer = await client.post('customresourcedefinitions', {
          ...definitionOf(client),
          metadata: {},
        })
        const subject = { kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io', name: '' }
        const because = ['metadata.name: Required value: name or generateName is required']
        client.expect.invalid(answer, { ...subject, because })
      },
    },
    {
      name: 'a definition gets no webhook that cannot be used',
      source,
      async run(client) {
        const { definition } = await define(client)
        const path = `customresourcedefinitions/${definition}`
        const conversion = byWebhook({ clientConfig, conversionReviewVersions: ['v2'] })
        const answer = await client.patch(path, 'merge', { spec: { conversion } })
        const subject = { kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io', name: definition }
        const because = [`${versionsPath}: Invalid value: ["v2"]: must include at least one of v1, v1beta1`]
        client.expect.invalid(answer, { ...subject, because })
      },
    },
  ],
}
