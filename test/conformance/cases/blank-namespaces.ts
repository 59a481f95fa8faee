import type { CaseGroup } from '../case.js'

const source = 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3'
const blank = '/api/v1/namespaces//configmaps'
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const needed = { code: 400, reason: 'BadRequest', message: 'Namespace parameter required.' }
const notAllowed = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
}

/** Paths with an empty namespace, as programs send them that forget to set one. */
export const blankNamespaces: CaseGroup = {
  name: 'blank-namespaces',
  cases: [
    {
      name: 'an object in an empty namespace can be neither read, nor changed, nor deleted',
      source,
      async run({ get, put, patch, delete: remove, expect }) {
        expect.refused(await get(`${blank}/a`), needed)
        expect.refused(await put(`${blank}/a`, object), needed)
        expect.refused(await patch(`${blank}/a`, 'merge', { data: {} }), needed)
        expect.refused(await remove(`${blank}/a`), needed)
      },
    },
    {
      name: 'the objects of an empty namespace cannot be deleted, unless there are none',
      source,
      async run({ make, delete: remove, expect, namespace }) {
        await make('configmaps', { metadata: { name: 'a', labels: { of: namespace } } })
        expect.refused(await remove(blank), needed)
        expect.refused(await remove(`${blank}?labelSelector=of%3D${namespace}`), needed)
        const { status, body } = await remove(`${blank}?labelSelector=of%3Dnone-${namespace}`)
        expect.same(status, 200)
        expect.has(body, { kind: 'ConfigMapList', items: [] })
      },
    },
    {
      name: 'no object can be created in an empty namespace',
      source,
      async run({ post, expect }) {
        for (const metadata of [{ name: 'a' }, { name: 'a', namespace: 'default' }]) {
          expect.invalid(await post(blank, { ...object, metadata }), {
            kind: 'ConfigMap',
            name: 'a',
            because: ['metadata.namespace: Required value'],
          })
        }
        const other = { ...object, kind: 'Pod' }
        expect.answer(await post(blank, other), 400, { reason: 'BadRequest' })
        expect.refused(await post(`${blank}/a`, object), notAllowed)
      },
    },
    {
      name: 'a list of an empty namespace is a list of all namespaces',
      source,
      async run({ make, get, put, patch, expect, namespace }) {
        await make('configmaps', { metadata: { name: 'a', labels: { of: namespace } } })
        const { status, body } = await get(`${blank}?labelSelector=of%3D${namespace}`)
        expect.same(status, 200)
        expect.has(body, { items: [{ metadata: { name: 'a', namespace } }] })
        expect.refused(await put(blank, object), notAllowed)
        expect.refused(await patch(blank, 'merge', {}), notAllowed)
      },
    },
    {
      name: 'an empty group is a 404',
      source,
      async run({ get, expect }) {
        const { status, text } = await get('/apis//apps/v1/deployments')
        expect.same([status, text], [404, '404 page not found\n'])
      },
    },
  ],
}
