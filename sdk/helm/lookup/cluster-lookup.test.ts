// Tests what templates see of a cluster: objects and lists that exist, and nothing of what they may not see.
import t from 'tap'
import type { Client } from '../../engine/client/client.js'
import { configMaps, namespaces, secrets } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'
import type { LookupQuery } from '../render/renderer.js'
import { clusterLookup } from './cluster-lookup.js'

const signal = new AbortController().signal
const notFound = new ApiError({ code: 404, reason: 'NotFound' })
const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })

/** A cluster with one ConfigMap, where Secrets may not be read; it writes down its calls. */
function setUp() {
  const calls: string[] = []
  const allowed = (resource: Resource) => {
    if (resource.kind === 'Secret') throw forbidden
  }
  const client = {
    get: async (resource: Resource, { namespace, name }: { namespace: string; name: string }) => {
      calls.push(`get ${resource.plural} ${namespace}/${name}`)
      allowed(resource)
      if (name !== 'there') throw notFound
      return { metadata: { name } }
    },
    listAll: async (resource: Resource, { namespace }: { namespace?: string }) => {
      calls.push(`list ${resource.plural} ${namespace}`)
      allowed(resource)
      return { metadata: {}, items: [{ metadata: { name: 'there' } }] }
    },
  } as unknown as Client
  const kinds = [configMaps, namespaces, secrets]
  const served = async (apiVersion: string) => kinds.filter((kind) => apiVersionOf(kind) === apiVersion)
  return { calls, cluster: { client, served } }
}

const query = (kind: string, namespace: string, name: string, apiVersion = 'v1'): LookupQuery => ({
  apiVersion,
  kind,
  namespace,
  name,
})

void t.test(
  'objects and lists are those of the cluster, and the members of a list name their kind',
  async (t) => {
    const { calls, cluster } = setUp()
    const lookup = clusterLookup({ cluster })
    t.match(await lookup(query('ConfigMap', 'ns', 'there'), signal), { metadata: { name: 'there' } })
    t.equal(await lookup(query('ConfigMap', 'ns', 'gone'), signal), undefined)
    t.match(await lookup(query('ConfigMap', '', ''), signal), {
      kind: 'ConfigMapList',
      items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' } }],
    })
    t.ok(
      await lookup(query('Namespace', 'ignored', 'there'), signal),
      'a kind without namespaces ignores one',
    )
    t.strictSame(calls, [
      'get configmaps ns/there',
      'get configmaps ns/gone',
      'list configmaps undefined',
      'get namespaces /there',
    ])
  },
)

void t.test('an object of a kind with namespaces is not looked for without one', async (t) => {
  const { calls, cluster } = setUp()
  t.equal(await clusterLookup({ cluster })(query('ConfigMap', '', 'there'), signal), undefined)
  t.strictSame(calls, [])
})

void t.test('nothing exists where templates may not look, and that is reported', async (t) => {
  const { calls, cluster } = setUp()
  const refused: string[] = []
  const lookup = clusterLookup({
    cluster,
    allow: ({ namespace }) => namespace === 'ns',
    onRefused: ({ namespace }, { plural }) => refused.push(`${plural} ${namespace}`),
  })
  t.equal(await lookup(query('ConfigMap', 'other', 'there'), signal), undefined)
  t.equal(await lookup(query('ConfigMap', '', ''), signal), undefined, 'nor in all namespaces')
  t.equal(await lookup(query('Namespace', 'ns', 'there'), signal), undefined, 'nor outside of them')
  t.strictSame(refused, ['configmaps other', 'configmaps ', 'namespaces '])
  t.strictSame(calls, [])
  t.ok(await lookup(query('ConfigMap', 'ns', 'there'), signal))
})

void t.test('what the program may not read, or no server has, is an error of the chart', async (t) => {
  const { cluster } = setUp()
  const lookup = clusterLookup({ cluster })
  const refused = { name: 'RenderError', reason: 'RenderError' }
  await t.rejects(lookup(query('Secret', 'ns', 'there'), signal), {
    ...refused,
    message:
      'lookup: the program may not get secrets "there" in namespace ns; allow it, or remove the lookup: no',
  })
  await t.rejects(lookup(query('Secret', '', ''), signal), {
    ...refused,
    message: /may not list secrets; allow/,
  })
  await t.rejects(lookup(query('Car', 'ns', 'a', 'example.com/v1'), signal), {
    ...refused,
    message: 'lookup of Car: the cluster does not serve example.com/v1',
  })
  t.equal(await lookup(query('Car', 'ns', 'a'), signal), undefined, 'an unknown kind of a known version')
})

void t.test('a version that is a path is not asked of the API server', async (t) => {
  const { cluster } = setUp()
  const asked: string[] = []
  const served = async (apiVersion: string) => {
    asked.push(apiVersion)
    return [configMaps]
  }
  const lookup = clusterLookup({ cluster: { ...cluster, served } })
  for (const apiVersion of ['apps/v1/deployments', '../v1', 'v1?watch=1', 'apps/../v1', ''])
    await t.rejects(lookup(query('ConfigMap', 'ns', 'a', apiVersion), signal), { message: /does not serve/ })
  t.strictSame(asked, [])
})
