import t from 'tap'
import { embedded, soak, soakLimitMs } from './soak.js'

t.setTimeout(soakLimitMs)
// The test runner reads this limit of the file.
t.comment(`timeout=${soakLimitMs}`)

void t.test(
  'all copies are correct after changes and faults on embedded clusters',
  { timeout: soakLimitMs },
  async (t) => {
    await soak(t, { virtual: await embedded(t), host: await embedded(t) })
  },
)
