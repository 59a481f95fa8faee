import t from 'tap'
import type { CustomResourceDefinition } from '../kube/builtin.js'
import { ApiError } from '../kube/error.js'
import type { Logger } from '../observe/logger.js'
import { silentLogger } from '../observe/logger.js'
import type { Cluster } from './cluster.js'
import { definitionOfVersion, isCustom, resourceOf, servesVersion, withVersion } from './definition.js'
import { findKind } from './find-kind.js'
import { isKindGoing } from './is-kind-going.js'
import { readManifests } from './read-manifests.js'

const version = (name: string, storage = false) => ({ name, served: true, storage, schema: {} })
const definition: CustomResourceDefinition = {
  metadata: {
    name: 'things.example.com',
    uid: 'u1',
    resourceVersion: '7',
    annotations: { note: 'kept', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [version('v1beta1'), { ...version('v1', true) }],
    conversion: { strategy: 'Webhook' },
  },
} as CustomResourceDefinition
const things = resourceOf(definition)

void t.test('a definition names its resource, by default of the stored version', async (t) => {
  t.strictSame(things, {
    group: 'example.com',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    namespaced: true,
  })
  t.equal(resourceOf(definition, 'v1beta1').version, 'v1beta1')
  t.equal(servesVersion(definition, 'v1beta1'), true)
  t.equal(servesVersion(definition, 'v2'), false)
})

void t.test(
  'a definition for another cluster has one version and nothing of the first cluster',
  async (t) => {
    const copied = definitionOfVersion(definition, 'v1beta1')
    t.strictSame(copied.metadata, { name: 'things.example.com', annotations: { note: 'kept' } })
    t.strictSame(copied.spec.versions, [{ ...version('v1beta1'), storage: true }])
    t.equal(copied.spec.conversion, undefined)
    t.throws(() => definitionOfVersion(definition, 'v2'), {
      code: 'UNKNOWN_KIND',
      message: /use one of v1beta1, v1/,
    })
    const both = withVersion(copied, version('v1'))
    t.strictSame(
      both.spec.versions.map(({ name, storage }) => [name, storage]),
      [
        ['v1beta1', true],
        ['v1', false],
      ],
    )
  },
)

void t.test('kinds of groups that API servers serve by themselves are not custom ones', async (t) => {
  for (const group of ['', 'apps', 'networking.k8s.io', 'metrics.k8s.io'])
    t.equal(isCustom({ group }), false, group)
  for (const group of ['example.com', 'gateway.networking.k8s.io']) t.equal(isCustom({ group }), true, group)
})

void t.test('a kind is found by its name, as the cluster serves it', async (t) => {
  const cluster = { served: async (apiVersion: string) => (apiVersion === 'example.com/v1' ? [things] : []) }
  t.strictSame(await findKind(cluster, { group: 'example.com', version: 'v1', kind: 'Thing' }), things)
  t.equal(await findKind(cluster, { group: 'example.com', version: 'v2', kind: 'Thing' }), undefined)
})

void t.test(
  'a kind is going when its definition is being deleted or is gone, if that can be known',
  async (t) => {
    const signal = new AbortController().signal
    const going = (answer: CustomResourceDefinition | Error, logger: Logger = silentLogger) => {
      const get = async () => {
        if (answer instanceof Error) throw answer
        return answer
      }
      const cluster = { name: 'host', client: { get } } as unknown as Pick<Cluster, 'name' | 'client'>
      return isKindGoing(things, { cluster, logger, signal })
    }
    const metadata = { ...definition.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }
    t.equal(await going(definition), false)
    t.equal(await going({ ...definition, metadata }), true)
    t.equal(await going(new ApiError({ code: 404, reason: 'NotFound' })), true)
    t.equal(await going(new ApiError({ code: 403, reason: 'Forbidden' })), false)
    await t.rejects(going(new ApiError({ code: 500 })), { code: 500 }, 'an error is not an answer')
  },
)

void t.test(
  'manifests are read in their order, lists one by one, and a mistake says where it is',
  async (t) => {
    const text =
      'kind: A\napiVersion: v1\nmetadata: { name: a }\n---\n---\nkind: List\napiVersion: v1\nitems: [{ kind: B, apiVersion: v1, metadata: { name: b } }]\n'
    t.strictSame(
      (await readManifests(text)).map(({ kind }) => kind),
      ['A', 'B'],
    )
    await t.rejects(readManifests('apiVersion: v1\n'), {
      code: 'INVALID_MANIFEST',
      message: /object 1 of the manifests/,
    })
    await t.rejects(readManifests('a: [\n'), {
      code: 'INVALID_MANIFEST',
      message: /it is not valid YAML: .* at line \d+, column \d+$/,
    })
  },
)
