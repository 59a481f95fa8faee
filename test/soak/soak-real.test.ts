import t from 'tap'
import { missingAssets } from '../real/real-cluster.js'
import { real, soak, soakLimitMs } from './soak.js'

t.setTimeout(soakLimitMs)
// The test runner reads this limit of the file.
t.comment(`timeout=${soakLimitMs}`)

const options = { skip: missingAssets(), timeout: soakLimitMs }
void t.test(
  'all copies are correct after changes and broken connections on real clusters',
  options,
  async (t) => {
    await soak(t, { virtual: await real(t), host: await real(t) })
  },
)
