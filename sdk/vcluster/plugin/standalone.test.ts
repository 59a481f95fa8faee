import t, { type Test } from 'tap'
import { silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { systemClock } from '../../engine/time/clock.js'
import { openStandalone } from './standalone.js'

const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
  'current-context': 'c',
})

/** The name of a standalone plugin, by its environment and the option `name`. */
async function nameOf(
  t: Test,
  env: Record<string, string>,
  options: { name?: string } = {},
): Promise<string> {
  const file = `${t.testdir({ kubeconfig })}/kubeconfig`
  const needed = {
    VIRTUAL_KUBECONFIG: file,
    HOST_KUBECONFIG: file,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: 'vc',
  }
  const { facts, close } = await openStandalone({
    ...options,
    env: { ...needed, ...env },
    logger: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    signal: new AbortController().signal,
  })
  await close()
  return facts.pluginName
}

void t.test(
  'a standalone plugin has the name of PLUGIN_NAME, else of its option, else of its folder',
  async (t) => {
    t.equal(await nameOf(t, { PLUGIN_NAME: 'mine' }, { name: 'option' }), 'mine')
    t.equal(await nameOf(t, {}, { name: 'option' }), 'option')
    t.equal(await nameOf(t, {}), 'plugin', 'this test is in the folder plugin, as a bundle in an image is')
  },
)

void t.test('a name that no Lease may have is refused at the start', async (t) => {
  await t.rejects(nameOf(t, { PLUGIN_NAME: 'My Plugin' }), {
    code: 'INVALID_NAME',
    message: /^PLUGIN_NAME must be/,
  })
})
