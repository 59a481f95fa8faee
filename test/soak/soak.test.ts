import t from 'tap'
import { embedded, soak, soakLimitMs } from './soak.js'

t.setTimeout(soakLimitMs)
// The test runner reads this limit of the file.
t.comment(`timeout=${soakLimitMs}`)

void t.test(
  'under changes and faults on embedded clusters nothing stays wrong',
  { timeout: soakLimitMs },
  async (t) => {
    await soak(t, { virtual: await embedded(t), host: await embedded(t) })
  },
)
