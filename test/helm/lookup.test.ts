// Tests that `lookup` finds in our renderings what it finds in those of helm 3 and 4, on the same API server.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { discoverKinds } from '../../sdk/engine/client/discover-kinds.js'
import { configMaps, namespaces } from '../../sdk/engine/kube/builtin.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { clusterLookup } from '../../sdk/helm/lookup/cluster-lookup.js'
import { engineRenderer } from '../../sdk/helm/render/engine/engine-renderer.js'
import { createApiServer } from '../../testing/index.js'
import { engine, missingEngine, missingPrograms, programs } from './charts.js'

t.setTimeout(600_000)

/** Expressions that print a part of the answer of a lookup. */
const queries = {
  'an object': '(lookup "v1" "ConfigMap" "team" "settings").data.color',
  'its kind': '(lookup "v1" "ConfigMap" "team" "settings").kind',
  'an object that does not exist': 'len (lookup "v1" "ConfigMap" "team" "none")',
  'an object in no namespace': 'len (lookup "v1" "ConfigMap" "" "settings")',
  'a list of a namespace': 'len (lookup "v1" "ConfigMap" "team" "").items',
  'the kinds of its members': '(first (lookup "v1" "ConfigMap" "team" "").items).kind',
  'its own kind': '(lookup "v1" "ConfigMap" "team" "").kind',
  'a list without members': 'len (lookup "apps/v1" "Deployment" "team" "").items',
  'a kind without namespaces': '(lookup "v1" "Namespace" "" "team").metadata.name',
  'the same with a namespace': '(lookup "v1" "Namespace" "other" "team").metadata.name',
  'an answer that leads to the next':
    '(lookup "v1" "ConfigMap" "team" (lookup "v1" "ConfigMap" "team" "settings").data.next).data.color',
  'an unknown kind of a known version': 'len (lookup "v1" "Car" "team" "a")',
}
const templateOf = (expression: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {text: {{ ${expression} | quote }}}\n`

const skip = missingPrograms || missingEngine
void t.test('lookup finds what helm finds', { skip }, async (t) => {
  const folder = t.testdir({})
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  await server.listen()
  const kubeconfigFile = join(folder, 'kubeconfig')
  writeFileSync(kubeconfigFile, await server.kubeconfig())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: kubeconfigFile }) })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  await client.create(namespaces, { metadata: { name: 'team' } })
  const settings = { color: 'blue', next: 'more' }
  await client.create(configMaps, { metadata: { namespace: 'team', name: 'settings' }, data: settings })
  await client.create(configMaps, { metadata: { namespace: 'team', name: 'more' }, data: { color: 'red' } })
  const renderer = await engineRenderer({ engine })
  t.teardown(() => renderer.close())
  const cluster = { client, served: (apiVersion: string) => discoverKinds(transport, apiVersion) }
  const capabilities = { kubeVersion: 'v1.36.3', apiVersions: ['v1', 'apps/v1'] }
  const release = { name: 'demo', namespace: 'team', revision: 1, isInstall: true }

  const chartWith = (template: string) => {
    const chart = join(folder, 'chart')
    mkdirSync(join(chart, 'templates'), { recursive: true })
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
    writeFileSync(join(chart, 'templates/a.yaml'), template)
    return chart
  }
  const ours = async (path: string) => {
    const request = { chart: await loadChart(path), values: {}, release, capabilities }
    const { manifest } = await renderer.render(
      { ...request, lookup: clusterLookup({ cluster }) },
      new AbortController().signal,
    )
    return manifest
  }
  const theirs = async (program: string, path: string) => {
    const args = ['template', 'demo', path, '-n', 'team', '--dry-run=server']
    const env = { HOME: folder, KUBECONFIG: kubeconfigFile }
    return (await promisify(execFile)(program, args, { env })).stdout
  }

  for (const [what, expression] of Object.entries(queries)) {
    const path = chartWith(templateOf(expression))
    const text = await ours(path)
    for (const program of programs) t.equal(text, await theirs(program, path), what)
  }
  const unserved = chartWith(templateOf('lookup "example.com/v1" "Car" "team" "a"'))
  await t.rejects(ours(unserved), { reason: 'RenderError', message: /does not serve example.com\/v1/ })
  for (const program of programs) await t.rejects(theirs(program, unserved), /could not find the requested/)
})
