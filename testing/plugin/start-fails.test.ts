import t from 'tap'
import { InProcessVCluster } from '../../simulator/in-process-vcluster.js'
import { stopAndRethrow } from './stop-and-rethrow.js'
import { testPlugin } from './test-plugin.js'

void t.test('the simulated vcluster is stopped if the plugin does not start', async (t) => {
  const stops = t.capture(InProcessVCluster.prototype, 'stop', InProcessVCluster.prototype.stop)
  const register = () => {
    throw new Error('no chart')
  }
  await t.rejects(testPlugin(register), { message: 'no chart' })
  t.equal(stops().length, 1)
})

void t.test('a failure is thrown even if stopping fails, too', async (t) => {
  const stop = async () => {
    throw new Error('does not stop')
  }
  const failed = Promise.reject(new Error('does not start'))
  await t.rejects(failed.catch(stopAndRethrow(stop)), { message: 'does not start' })
})
