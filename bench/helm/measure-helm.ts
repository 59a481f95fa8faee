import { namespace, withCluster } from './cluster.js'
import type { Figures } from './figures.js'
import { timed } from './timed-shell.js'

const chart = 'examples/memcached-helm/charts/memcached'
const values = '--set replicas=2,disruptionBudget=true --set-string image.tag=1.6.39-alpine'

/** Measures `helm upgrade --install` in a loop, and the same loop again when nothing has changed. */
export function measureHelm(program: string, releases: number): Promise<Figures> {
  return withCluster({}, async ({ cluster, countWrites }) => {
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

/** Upgrades or installs releases one after the other. */
function loop(names: readonly string[], env: NodeJS.ProcessEnv) {
  const each = `"$HELM" upgrade --install "$name" ${chart} ${values} >/dev/null`
  return timed(`for name in ${names.join(' ')}; do ${each}; done`, env)
}
