// Sends random requests to the embedded server and to a real kube-apiserver. A request that succeeds on one
// must succeed on the other.
import t from 'tap'
import { missingAssets } from '../../real/real-cluster.js'
import { WORST } from './classify.js'
import { fuzzKinds } from './fuzz-kinds.js'
import { Random } from './random.js'
import { randomSequence } from './random-request.js'
import { formatClass, summary } from './report.js'
import { search } from './search.js'
import { startServers } from './servers.js'

const SEEDS = [101, 102, 103]
const SEQUENCES = 80

t.setTimeout(300_000)

void t.test('a seed determines its sequences, and each can be serialized', async (t) => {
  const sequences = [1, 1, 2].map((seed) => randomSequence(fuzzKinds, new Random(seed)))
  t.strictSame(sequences[0], sequences[1])
  t.not(JSON.stringify(sequences[0]), JSON.stringify(sequences[2]))
  t.strictSame(JSON.parse(JSON.stringify(sequences[0])), sequences[0])
})

void t.test(
  'no random request succeeds on only one server, or succeeds on both with different results',
  { skip: missingAssets(), timeout: 240_000 },
  async (t) => {
    const servers = await startServers()
    t.teardown(() => servers.close())
    for (const seed of SEEDS) {
      const result = await search(servers, { seed, sequences: SEQUENCES })
      t.comment(summary(result))
      const worst = result.classes.filter(
        ({ severity, expected }) => WORST.includes(severity) && expected === undefined,
      )
      for (const found of worst) t.fail(formatClass(found))
      t.ok(result.compared > SEQUENCES)
    }
  },
)
