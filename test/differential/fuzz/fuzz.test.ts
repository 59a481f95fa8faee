// Sends random requests to the embedded server and to a real kube-apiserver. A request that succeeds on one
// must succeed on the other. Each run also has a new seed, which it prints; `FUZZ_SEED` plays it again.
import t from 'tap'
import { missingAssets } from '../../real/real-cluster.js'
import { worstSeverities } from './classify.js'
import { fuzzKinds } from './fuzz-kinds.js'
import { Random } from './random.js'
import { randomSequence } from './random-request.js'
import { formatClass, summary, unknownPercent } from './report.js'
import { search } from './search.js'
import { startServers } from './servers.js'

const seeds = [101, 102, 103]
const sequenceCount = 80
const freshSeed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1e9))
const freshSequenceCount = 200
/** A busy machine plays fewer sequences. */
const freshMs = 60_000
/** The share of requests of a new seed that may differ, in percent. */
const maxPercent = 2

t.setTimeout(300_000)

void t.test('a seed determines its sequences, and each can be serialized', async (t) => {
  const sequences = [1, 1, 2].map((seed) => randomSequence(fuzzKinds, new Random(seed)))
  t.strictSame(sequences[0], sequences[1])
  t.not(JSON.stringify(sequences[0]), JSON.stringify(sequences[2]))
  t.strictSame(JSON.parse(JSON.stringify(sequences[0])), sequences[0])
})

void t.test(
  'no random request succeeds on only one server, or succeeds on both with different results',
  { skip: missingAssets(), timeout: 600_000 },
  async (t) => {
    const servers = await startServers()
    t.teardown(() => servers.close())
    for (const seed of seeds) {
      const result = await search(servers, { seed, sequences: sequenceCount })
      t.comment(summary(result))
      const worst = result.classes.filter(
        ({ severity, expected }) => worstSeverities.includes(severity) && expected === undefined,
      )
      for (const found of worst) t.fail(formatClass(found))
      t.ok(result.compared > sequenceCount)
    }
    const seed = freshSeed
    const options = { seed, sequences: freshSequenceCount, withinMs: freshMs, hasAdmission: true }
    const result = await search(servers, options)
    t.comment(`seed ${seed}: ${summary(result)}`)
    const isTooMuch = unknownPercent(result) > maxPercent
    for (const found of result.classes.filter(({ expected }) => isTooMuch && expected === undefined)) {
      t.comment(formatClass(found))
    }
    t.notOk(isTooMuch, `at most ${maxPercent} % of the requests of FUZZ_SEED=${seed} differ`)
  },
)
