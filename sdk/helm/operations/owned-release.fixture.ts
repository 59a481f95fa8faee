import { createClient } from '../../engine/client/create-client.js'
import { discoverKinds } from '../../engine/client/discover-kinds.js'
import { discoverApiVersions, discoverVersion } from '../../engine/client/discover-server.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { systemClock } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import { ServedKinds } from '../reconciler/objects/capabilities.js'
import { OwnedRelease, type OwnedReleaseOptions } from './owned-release.js'

/** A release of a cluster as a new process sees it that works for an owner. */
export function ownedRelease(
  transport: Transport,
  { owner, release }: Pick<OwnedReleaseOptions, 'owner' | 'release'>,
): OwnedRelease {
  const cluster = {
    name: 'main',
    served: (apiVersion: string) => discoverKinds(transport, apiVersion),
    version: () => discoverVersion(transport),
    apiVersions: () => discoverApiVersions(transport),
  }
  return new OwnedRelease({
    ctx: {
      signal: new AbortController().signal,
      clock: systemClock,
      logger: silentLogger,
      events: { normal: () => {}, warning: () => {} },
      condition: () => {},
    },
    client: createClient({ transport }),
    cluster,
    kinds: new ServedKinds(cluster, systemClock),
    holder: 'test',
    owner,
    release,
    wait: 'none',
    timeoutMs: 60_000,
  })
}
