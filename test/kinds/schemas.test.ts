// Generated schemas mean the same to zod, to the embedded API server and to a real one.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { embeddedCluster } from '../conformance/embedded-cluster.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { isWholeRun } from '../whole-run.js'
import { type SchemaCase, schemaCases } from './schemas.js'
import { fieldKind } from './try-values.js'

const seed = Number(process.env.TEST_SEED ?? 34)
const perKind = 25

/** Sends each value to a server, and compares the answer with zod's. */
async function agrees(t: Test, cluster: ClusterUnderTest, count: number): Promise<void> {
  const cases = fc.sample(schemaCases, { numRuns: count, seed })
  const answers = { accepted: 0, refused: 0 }
  for (let at = 0; at < cases.length; at += perKind) {
    const group = `generated${at}.example.com`
    await agreesOn(t, cluster, { group, cases: cases.slice(at, at + perKind), answers })
  }
  t.comment(`${answers.accepted} values are accepted and ${answers.refused} refused (seed ${seed})`)
  t.ok(answers.accepted > count && answers.refused > count, 'both happen')
}

interface Batch {
  readonly group: string
  readonly cases: readonly SchemaCase[]
  readonly answers: { accepted: number; refused: number }
}

async function agreesOn(t: Test, cluster: ClusterUnderTest, { group, cases, answers }: Batch): Promise<void> {
  const fields = Object.fromEntries(cases.map(({ schema }, at) => [`s${at}`, schema]))
  const kind = await fieldKind(cluster, group, fields)
  const differing: string[] = []
  for (const [at, { schema, values }] of cases.entries()) {
    for (const value of values) {
      const parsed = schema.safeParse(value)
      const { status, text, body } = await kind.send(`s${at}`, value)
      answers[parsed.success ? 'accepted' : 'refused'] += 1
      const stored = Object(body.spec)[`s${at}`]
      if (status !== (parsed.success ? 201 : 422))
        differing.push(`${JSON.stringify(value)}: ${status} ${text}`)
      else if (parsed.success && !jsonEqual(stored, parsed.data)) {
        differing.push(`${JSON.stringify(value)} is stored as ${JSON.stringify(stored)}`)
      }
    }
  }
  t.same(differing, [], group)
}

void t.test(
  'the embedded API server agrees with zod on generated schemas',
  { timeout: 600_000 },
  async (t) => {
    const cluster = await embeddedCluster()
    t.teardown(() => cluster.close())
    // The first third of them at each change.
    await agrees(t, cluster, isWholeRun ? 500 : 175)
  },
)

const skip = missingAssets()
const realCount = Number(process.env.TEST_SCHEMAS ?? 75)

void t.test(
  `a real API server agrees with zod on ${realCount} schemas`,
  { skip, timeout: 600_000 },
  async (t) => {
    const real = await startRealCluster()
    t.teardown(() => real.stop())
    const cluster = await httpsCluster({
      name: 'real',
      kubeconfig: real.kubeconfig,
      hasControllerManager: false,
    })
    t.teardown(() => cluster.close())
    await agrees(t, cluster, realCount)
  },
)
