import type { Transport } from '../engine/transport/transport.js'

/** When a process dies at a write: before it is sent, or when it is stored and not answered. */
export type DyingPhase = 'before' | 'unanswered'

/** Both phases. */
export const dyingPhases: readonly DyingPhase[] = ['before', 'unanswered']

/** A connection that breaks for good at a write, which is counted from 0. Writes of Leases do not count. */
export function dyingAt(transport: Transport, at: number, phase: DyingPhase): Transport {
  let writes = 0
  let isDead = false
  const die = () => {
    isDead = true
    throw new Error('the process is dead')
  }
  return {
    async request(request) {
      if (isDead) return die()
      const isWrite = request.method !== 'GET' && !request.path.includes('/leases')
      const isLast = isWrite && writes++ === at
      if (isLast && phase === 'before') return die()
      const answer = await transport.request(request)
      return isLast ? die() : answer
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}
