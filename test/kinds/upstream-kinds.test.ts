// Kinds of other projects, defined with `defineKind`, accept, refuse, prune and default as the projects' own
// definitions do, on a real API server.
import omit from 'lodash/omit.js'
import t from 'tap'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'
import { missingDefinitions, publicDefinitions } from './public-definitions.js'
import { upstreamKinds } from './upstream-kinds.js'

t.setTimeout(300_000)
t.comment('timeout=300000')

const headers = { 'content-type': 'application/json' }
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** The definition of a project in a group of its own, so that both can be installed, in one version. */
function besides(definition: CustomResourceDefinition, version: string): CustomResourceDefinition {
  const { group, conversion: _, versions, ...spec } = definition.spec
  const other = `upstream.${group}`
  const { labels, annotations } = definition.metadata
  const metadata = {
    name: `${spec.names.plural}.${other}`,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  }
  const [found] = versions.filter(({ name }) => name === version)
  if (found === undefined) throw new Error(`${definition.metadata.name} has no ${version}`)
  const only = { ...found, served: true, storage: true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: { ...spec, group: other, versions: [only] },
  }
}

/** Installs a definition. Returns what is wrong with it, or nothing. */
async function install(
  cluster: ClusterUnderTest,
  definition: CustomResourceDefinition,
): Promise<string | undefined> {
  const body = JSON.stringify(definition)
  const installed = await cluster.request({ method: 'POST', path: definitionsPath, headers, body })
  return installed.status === 201 ? undefined : installed.text
}

/** Tries objects in an installed definition: how each was answered, and what was stored. */
async function outcomes(
  cluster: ClusterUnderTest,
  definition: CustomResourceDefinition,
  samples: readonly object[],
): Promise<unknown[]> {
  const { group, scope, names, versions } = definition.spec
  const [{ name: version, subresources } = { name: '' }] = versions
  const namespace = scope === 'Namespaced' ? '/namespaces/default' : ''
  const path = `/apis/${group}/${version}${namespace}/${names.plural}`
  await until(async () => (await cluster.request({ method: 'GET', path })).status === 200)
  const found: unknown[] = []
  for (const [at, sample] of samples.entries()) {
    const metadata = { name: `sample-${at}` }
    const body = JSON.stringify({ apiVersion: `${group}/${version}`, kind: names.kind, metadata, ...sample })
    const answer = await cluster.request({ method: 'POST', path, headers, body })
    const hidden = ['apiVersion', 'metadata', ...(subresources?.status ? ['status'] : [])]
    found.push(answer.status === 201 ? omit(answer.body, hidden) : answer.status)
  }
  return found
}

void t.test(
  'ten kinds of other projects behave as their own definitions do',
  { skip: missingAssets() || missingDefinitions() },
  async (t) => {
    const real = await startRealCluster()
    t.teardown(() => real.stop())
    const { kubeconfig } = real
    const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: false })
    t.teardown(() => cluster.close())
    await until(
      async () =>
        (await cluster.request({ method: 'GET', path: '/api/v1/namespaces/default' })).status === 200,
    )
    const known = new Map(publicDefinitions().map((one) => [one.metadata.name, one]))
    const pairs = upstreamKinds.map(({ definition, samples }) => {
      const { name = '' } = definition.metadata
      const theirs = known.get(name)
      if (theirs === undefined) throw new Error(`REAL_DEFINITIONS has no ${name}; fetch it again`)
      const [version] = definition.spec.versions
      return { name, theirs, upstream: besides(theirs, version?.name ?? ''), definition, samples }
    })
    // All are installed first: the API server takes seconds to serve a new kind, and many at once take no longer.
    for (const { name, upstream, definition } of pairs)
      for (const one of [upstream, definition]) t.equal(await install(cluster, one), undefined, name)
    for (const { name, theirs, upstream, definition, samples } of pairs) {
      const wanted = await outcomes(cluster, upstream, samples)
      t.same(await outcomes(cluster, definition, samples), wanted, name)
      t.equal(definition.spec.scope, theirs.spec.scope, `${name} has the same scope`)
      const refused = wanted.filter((one) => typeof one === 'number')
      t.ok(refused.length < samples.length, `${name}: ${refused.length} of ${samples.length} are refused`)
    }
  },
)
