import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { namespace, withCluster } from './cluster.js'
import type { Figures } from './figures.js'

const chart = 'examples/memcached-helm/charts/memcached'
const values = '--set replicas=2,disruptionBudget=true --set-string image.tag=1.6.39-alpine'

/** Measures `helm upgrade --install` in a loop, and the same loop again when nothing has changed. */
export function measureHelm(program: string, releases: number): Promise<Figures> {
  return withCluster(async ({ cluster, countWrites }) => {
    const env = {
      PATH: process.env.PATH,
      HOME: cluster.kubeconfigFile.replace(/[^/]*$/, ''),
      KUBECONFIG: cluster.kubeconfigFile,
      HELM_NAMESPACE: namespace,
      HELM: program,
    }
    const first = await loop(['first'], env)
    const names = Array.from({ length: releases }, (_, index) => `cache-${index}`)
    const writes = await countWrites()
    const cold = await loop(names, env)
    const coldWrites = await writes()
    const again = await countWrites()
    const { cpuSeconds: idleCpuSeconds } = await loop(names, env)
    return {
      startSeconds: first.seconds,
      ...cold,
      writes: coldWrites,
      idleWrites: await again(),
      idleCpuSeconds,
    }
  })
}

/** Upgrades or installs releases one after the other. The shell says how much CPU time its programs took. */
async function loop(names: readonly string[], env: NodeJS.ProcessEnv) {
  const script = `set -e; for name in ${names.join(' ')}; do "$HELM" upgrade --install "$name" ${chart} ${values} >/dev/null; done; times`
  const startedMs = performance.now()
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  const seconds = (performance.now() - startedMs) / 1000
  const [, children = ''] = stdout.trim().split('\n')
  return { seconds, cpuSeconds: sumOf(children) }
}

/** The sum of times such as `1m2.345s`, in seconds. */
function sumOf(times: string): number {
  const found = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}
