// Misspelt options, in programs whose types are not checked: each is refused where it is given.
import t from 'tap'
import { functionChart } from '../../chart/function-chart.js'
import { clusterLookup } from '../../lookup/cluster-lookup.js'
import { engineRenderer } from '../../render/engine/engine-renderer.js'
import { helmRenderer } from '../../render/program/helm-renderer.js'
import { loadWatches } from '../../watches/load-watches.js'
import { helmController } from '../helm-controller.js'

const chart = functionChart({ name: 'greeter', version: '1.0.0' }, () => [])
const resource = { group: 'a.example.com', version: 'v1', kind: 'Greeting' }
const made = (options: object) => () => helmController({ resource, chart, ...options } as never)

const misspelt: Readonly<Record<string, () => unknown>> = {
  'helmController has no option onFailur; did you mean onFailure?': made({ onFailur: 'rollback' }),
  'allow of helmController has no option namespace; did you mean namespaces?': made({
    allow: { namespace: ['a'] },
  }),
  'annotations of helmController has no option timeoutMS; did you mean timeoutMs?': made({
    annotations: { timeoutMS: 'example.com/timeout' },
  }),
  'ignoreDrift[0] of helmController has no option path; did you mean paths?': made({
    ignoreDrift: [{ kind: 'Deployment.apps', path: 'spec.replicas' }],
  }),
  'permissions[0] of helmController has no option name; did you mean names?': made({
    permissions: [{ resource, verbs: ['get'], name: 'a' }],
  }),
  'functionChart has no option apVersion; did you mean appVersion?': () =>
    functionChart({ name: 'greeter', version: '1.0.0', apVersion: '1' } as never, () => []),
  'clusterLookup has no option allowed; did you mean allow?': () =>
    clusterLookup({ cluster: {}, allowed: () => false } as never),
}

void t.test('each function refuses an option that it does not have', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
  t.equal(helmController({ resource, chart, allow: {}, annotations: {} }).name, 'greetings')
  await t.rejects(
    loadWatches('watches.yaml', { strictenv: true } as never),
    new TypeError('loadWatches has no option strictenv; did you mean strictEnv?'),
  )
  await t.rejects(
    engineRenderer({ timeout: 1 } as never),
    new TypeError('engineRenderer has no option timeout; did you mean timeoutMs?'),
  )
  await t.rejects(
    helmRenderer({ bni: 'helm' } as never),
    new TypeError('helmRenderer has no option bni; did you mean bin?'),
  )
})
