// Runs random sequences of steps on the embedded server and on a real kube-apiserver, and compares the
// responses.
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { createApiServer, inProcessTransport } from '../../testing/index.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { isWholeRun } from '../whole-run.js'
import { differentialUserAgent } from './client.js'
import { firstDifference } from './compare.js'
import { normalise } from './normalise.js'
import { play } from './play.js'
import { defineRobots } from './robots.js'
import { sequences } from './sequences.js'
import type { Step } from './step.js'
import { stepKinds } from './steps/index.js'

const { DIFFERENTIAL_REPLAY, DIFFERENTIAL_SEED = '1' } = process.env
const isLong = process.argv.includes('--long')
/** The first of them at each change: the same seeds draw the same first sequences. */
const total = isLong ? 5000 : isWholeRun ? 500 : 170
/** The number of sequences at a time; each has its own namespace. */
const players = 10
const skip = missingAssets()

t.setTimeout(isLong ? 1_800_000 : 300_000)

interface Servers {
  readonly embedded: Transport
  readonly real: Transport
}

/** Neither has a controller manager, whose writes would come at unpredictable times. */
async function startServers(t: Test): Promise<Servers> {
  const server = await createApiServer({ controllers: false })
  const cluster = await startRealCluster()
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const real = createTransport({ kubeconfig, userAgent: differentialUserAgent })
  t.teardown(async () => {
    await real.close()
    await cluster.stop()
    await server.close()
  })
  const servers = { embedded: inProcessTransport(server), real }
  await Promise.all(Object.values(servers).map(defineRobots))
  return servers
}

let namespaces = 0

async function difference({ embedded, real }: Servers, steps: readonly Step[]): Promise<string | undefined> {
  namespaces += 1
  const namespace = `sequence-${namespaces}`
  const [found, expected] = await Promise.all([
    play(embedded, namespace, steps),
    play(real, namespace, steps),
  ])
  return firstDifference(normalise(found), normalise(expected))
}

/** Searches for a sequence with different results, and shrinks it. */
async function search(servers: Servers, seed: number): Promise<string | undefined> {
  const alike = fc.asyncProperty(sequences, async (steps) => {
    const found = await difference(servers, steps)
    if (found !== undefined) throw new Error(found)
  })
  const details = await fc.check(alike, { seed, numRuns: total / players })
  if (!details.failed) return undefined
  const [steps] = details.counterexample ?? []
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : ''
  return `seed ${seed}: ${reason}\nDIFFERENTIAL_REPLAY='${JSON.stringify(steps)}' runs it again`
}

void t.test('there are at least thirty kinds of step', async (t) => {
  t.ok(Object.keys(stepKinds).length >= 30)
})

void t.test(`${total} sequences have the same results on both servers`, { skip }, async (t) => {
  const servers = await startServers(t)
  if (DIFFERENTIAL_REPLAY) {
    t.equal(await difference(servers, JSON.parse(DIFFERENTIAL_REPLAY)), undefined)
    return
  }
  const seeds = Array.from({ length: players }, (_, at) => Number(DIFFERENTIAL_SEED) * 1000 + at)
  const found = await Promise.all(seeds.map((seed) => search(servers, seed)))
  for (const text of found) t.equal(text, undefined)
})
