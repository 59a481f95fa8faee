import type { Case, CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const installer = 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3'
const requestInfo = 'k8s.io/apiserver pkg/endpoints/request/requestinfo.go @ v0.36.3'
const notAllowed = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
}
const noResource = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
}

/** A path that is not a resource, with the status of each method. */
function knowsMethods(path: string, statuses: Readonly<Record<string, number>>): Case {
  return {
    name: `${path} answers ${Object.entries(statuses).flat().join(' ')}`,
    source: 'k8s.io/apiserver pkg/endpoints/discovery @ v0.36.3',
    async run({ cluster, expect }) {
      for (const [method, status] of Object.entries(statuses)) {
        expect.same([method, (await cluster.request({ method, path })).status], [method, status])
      }
    },
  }
}

const onlyGet = { GET: 200, HEAD: 405, POST: 405, DELETE: 405, OPTIONS: 405 }
const all = { GET: 200, HEAD: 200, POST: 200, DELETE: 200, OPTIONS: 200 }

/** Methods and paths, and their responses. */
export const methods: CaseGroup = {
  name: 'methods',
  cases: [
    knowsMethods('/version', onlyGet),
    knowsMethods('/version/', onlyGet),
    knowsMethods('/api', onlyGet),
    knowsMethods('/api/', onlyGet),
    knowsMethods('/api/v1', onlyGet),
    knowsMethods('/apis/apps/v1/', onlyGet),
    knowsMethods('/openid/v1/jwks', onlyGet),
    knowsMethods('/apis', all),
    knowsMethods('/apis/apps', all),
    knowsMethods('/healthz', all),
    knowsMethods('/healthz/', { GET: 404, HEAD: 404 }),
    knowsMethods('/readyz/', { GET: 404, HEAD: 404 }),
    knowsMethods('/openapi/v3/', { GET: 404 }),
    {
      name: 'paths below /version do not exist',
      source: requestInfo,
      async run({ get, expect }) {
        expect.refused(await get('/version/x'), noResource)
      },
    },
    {
      name: 'a HEAD of a built-in object is not allowed',
      source: installer,
      async run({ cluster, path, make, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        for (const reference of ['configmaps', 'configmaps/a', 'configmaps/none']) {
          const { status, text } = await cluster.request({ method: 'HEAD', path: path(reference) })
          expect.same({ status, text }, { status: notAllowed.code, text: '' })
        }
      },
    },
    {
      name: 'a HEAD of a custom resource is a GET without a body',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const { cluster, expect } = client
        const car = await define(client, { version: { subresources: { status: {} } } })
        await car.make('a', {})
        const { text } = await client.get(car.path('a'))
        const head = (path: string) => cluster.request({ method: 'HEAD', path })
        for (const path of [car.path(), car.path('a'), `${car.path('a')}/status`]) {
          const answer = await head(path)
          expect.same({ path, status: answer.status, text: answer.text }, { path, status: 200, text: '' })
        }
        expect.same((await head(car.path('a'))).headers['content-length'], String(Buffer.byteLength(text)))
        expect.same((await head(car.path('none'))).status, 404)
      },
    },
    {
      name: 'a custom resource can be created with a name in the path, which is ignored',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const car = await define(client)
        const body = { apiVersion: `${car.group}/v1`, kind: 'Car', metadata: { name: 'a' } }
        client.expect.answer(await client.post(car.path('other'), body), 201, { metadata: { name: 'a' } })
        client.expect.answer(await client.get(car.path('other')), 404)
        const unnamed = { code: 400, reason: 'BadRequest', message: 'name must be provided' }
        client.expect.refused(await client.put(car.path(), body), unnamed)
        client.expect.refused(await client.patch(car.path(), 'merge', {}), unnamed)
      },
    },
    {
      name: 'a watch of one object by its path is a get',
      source: requestInfo,
      async run({ make, get, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const read = { kind: 'ConfigMap', metadata: { uid: metadata.uid } }
        for (const watch of ['watch=1', 'watch=true', 'watch', 'watch=0']) {
          expect.answer(await get(`configmaps/a?${watch}&timeoutSeconds=1`), 200, read)
        }
        expect.notFound(await get('configmaps/none?watch=1&timeoutSeconds=1'), 'configmaps', 'none')
      },
    },
    {
      name: 'a watch of a subresource by its path is a get',
      source: requestInfo,
      async run({ make, get, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
        expect.answer(await get('pods/a/status?watch=1&timeoutSeconds=1'), 200, { kind: 'Pod' })
      },
    },
    {
      name: 'an error with a retry delay has the Retry-After header',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/responsewriters/writers.go @ v0.36.3',
      async run({ get, expect }) {
        const answer = await get('configmaps?resourceVersion=9999999999&resourceVersionMatch=Exact&limit=1')
        expect.answer(answer, 504, { details: { retryAfterSeconds: 1 } })
        expect.same(answer.headers['retry-after'], '1')
      },
    },
  ],
}
