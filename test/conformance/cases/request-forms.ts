import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const deployment = (name: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: {
    selector: { matchLabels: { app: name } },
    replicas: 2,
    strategy: { rollingUpdate: { maxUnavailable: 3 } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
})

/** The object as JSON with its kind, with a number in another notation. */
function written(text: string, instead: string): string {
  const whole = { apiVersion: 'apps/v1', kind: 'Deployment', ...deployment('a') }
  return JSON.stringify(whole).replace(text, instead)
}

async function generations({ make, patch }: CaseClient, reference: string, body: object): Promise<unknown[]> {
  await make(reference, body)
  const changes = [
    { metadata: { annotations: { note: 'x' } } },
    { metadata: { labels: { note: 'x' } } },
    { spec: { minReadySeconds: 3 } },
    { metadata: { annotations: { note: null } } },
  ]
  const found: unknown[] = []
  for (const change of changes) {
    const answer = await patch(`${reference}/a`, 'merge', change)
    found.push(Object(answer.body.metadata).generation)
  }
  return found
}

/** Notations of requests and their numbers. */
export const requestForms: CaseGroup = {
  name: 'request-forms',
  cases: [
    {
      name: 'the generation of a Deployment includes its annotations, that of a StatefulSet does not',
      source: 'pkg/registry/apps/deployment/strategy.go @ v1.36.3',
      async run(client) {
        client.expect.same(await generations(client, 'deployments', deployment('a')), [2, 2, 3, 4])
        const { strategy: _strategy, ...spec } = deployment('a').spec
        const set = { metadata: { name: 'a' }, spec }
        client.expect.same(await generations(client, 'statefulsets', set), [1, 1, 2, 2])
      },
    },
    {
      name: 'a negative generation is rejected if the server does not count',
      source: 'k8s.io/apimachinery pkg/api/validation/objectmeta.go @ v0.36.3',
      async run({ post, expect }) {
        expect.invalid(await post('configmaps', { metadata: { name: 'a', generation: -1 } }), {
          kind: 'ConfigMap',
          name: 'a',
          because: ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
        })
        const { body } = await post('deployments', deployment('a', { generation: -1 }))
        expect.has(body, { metadata: { generation: 1 } })
      },
    },
    {
      name: 'a number with a fraction or an exponent is not an integer',
      source: 'encoding/json of Go 1.26',
      async run({ post, expect }) {
        for (const [text, instead, field] of [
          ['"replicas":2', '"replicas":2.0', 'DeploymentSpec.spec.replicas'],
          ['"replicas":2', '"replicas":2e0', 'DeploymentSpec.spec.replicas'],
          [
            '"maxUnavailable":3',
            '"maxUnavailable":3.0',
            'RollingUpdateDeployment.spec.strategy.rollingUpdate.maxUnavailable',
          ],
        ] as const) {
          const number = instead.split(':')[1]
          expect.refused(await post('deployments', written(text, instead)), {
            code: 400,
            reason: 'BadRequest',
            message: `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number ${number} into Go struct field ${field} of type int32`,
          })
        }
      },
    },
    {
      name: 'a timeout must be a duration',
      source: 'k8s.io/apiserver pkg/endpoints/filters/request_deadline.go @ v0.36.3',
      async run({ get, post, delete: remove, expect }) {
        const refused = (problem: string) => ({
          code: 400,
          reason: 'BadRequest',
          message: `invalid timeout specified in the request URL - time: ${problem}`,
        })
        expect.refused(await get('configmaps?timeout=abc'), refused('invalid duration "abc"'))
        expect.refused(await get('configmaps/a?timeout=5'), refused('missing unit in duration "5"'))
        const unknown = refused('unknown unit "y" in duration "5y"')
        expect.refused(await remove('configmaps/a?timeout=5y'), unknown)
        const named = { metadata: { name: 'a' } }
        expect.answer(await post('configmaps?timeout=abc', named), 400)
        for (const text of ['1m30s', '-5s', '.5h', '0', ''])
          expect.answer(await get(`configmaps?timeout=${text}`), 200)
      },
    },
    {
      name: 'an empty segment of a path is a 404',
      source: 'k8s.io/apiserver pkg/server/mux @ v0.36.3',
      async run({ get, namespace, expect }) {
        const path = `/api/v1/namespaces/${namespace}`
        expect.answer(await get(`${path}/configmaps/`), 200)
        for (const [odd, text] of [
          [`/${path}/configmaps`, '404 page not found'],
          [path.replace('/v1', '//v1'), 'the server could not find the requested resource'],
          [`${path}//configmaps`, 'the server could not find the requested resource'],
          [`${path}/configmaps//a`, 'the server could not find the requested resource'],
        ] as const) {
          const answer = await get(odd)
          expect.same([odd, answer.status], [odd, 404])
          expect.ok(answer.text.includes(text), `${odd}: ${answer.text}`)
        }
      },
    },
    {
      name: 'an encoded slash is a slash, and dots or percent signs are invalid names',
      source: 'k8s.io/apimachinery pkg/api/validation/path @ v0.36.3',
      async run({ get, expect }) {
        const answer = await get('configmaps/a%2Fb')
        expect.same(answer.body.message, 'the server could not find the requested resource')
        for (const [name, decoded, problem] of [
          ['%2E%2E', '..', "may not be '..'"],
          ['%2E', '.', "may not be '.'"],
          ['a%25b', 'a%b', "may not contain '%'"],
        ] as const)
          expect.refused(await get(`configmaps/${name}`), {
            code: 400,
            reason: 'BadRequest',
            message: `Name parameter invalid: "${decoded}": ${problem}`,
          })
        const page = await get('//api/v1')
        expect.same([page.status, page.text], [404, '404 page not found\n'])
        expect.same((await get('/healthz')).headers['x-content-type-options'], 'nosniff')
      },
    },
    {
      name: 'a list cannot be returned as the metadata of one object',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/response.go @ v0.36.3',
      async run({ get, expect }) {
        const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
        expect.refused(await get('configmaps', { headers: { accept } }), {
          code: 406,
          reason: 'NotAcceptable',
          message:
            'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
        })
      },
    },
  ],
}
