import type { Client } from '../../sdk/engine/client/client.js'
import { services } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import type { OwnerReference } from '../../sdk/engine/kube/object.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { backoffMs } from '../../sdk/engine/time/backoff.js'
import { type Clock, sleep } from '../../sdk/engine/time/clock.js'

const pauses = { baseMs: 500, maxMs: 10_000 }

/** Options of {@link findCopiesOwner}. */
export interface FindCopiesOwnerOptions {
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

/**
 * The Service of the vcluster, which owns all copies; `undefined` if there is none. vcluster reads it once at
 * start.
 */
export async function findCopiesOwner(
  host: Client,
  service: Key,
  { logger, clock, signal }: FindCopiesOwnerOptions,
): Promise<OwnerReference | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { metadata } = await host.get(services, service, { signal })
      return { apiVersion: 'v1', kind: 'Service', name: service.name, uid: metadata.uid ?? '' }
    } catch (error) {
      if (isNotFound(error)) return undefined
      signal.throwIfAborted()
      logger.warn({ error }, "cannot read the vcluster's Service; retrying")
    }
    await sleep(clock, backoffMs(attempt, pauses), signal)
  }
}
