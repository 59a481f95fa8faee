import { createClient } from '../../engine/client/create-client.js'
import { pods } from '../../engine/kube/builtin.js'
import { isForbidden, isNotFound } from '../../engine/kube/error.js'
import { backoffMs } from '../../engine/time/backoff.js'
import { sleep } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { LabelMode } from '../context/register-context.js'
import { isRefusal, pauses } from './owner.js'
import type { OpenSessionOptions } from './session.js'

/** Options of {@link findLabelMode}. */
export interface FindLabelModeOptions
  extends Pick<OpenSessionOptions, 'env' | 'logger' | 'clock' | 'signal'> {
  /** The mode from the program or from the vcluster process; undefined if neither gives one. */
  configured: LabelMode | undefined
  host: Transport
  /** The host namespace that this pod runs in. */
  namespace: string
}

const unreadableMessage =
  'this pod, whose image tells the label generation, cannot be read: allow the plugin to get pods in its namespace, or set ' +
  "labelMode in plugin.init, 'hashed' for vcluster 0.20 and 'reserved' for later ones"

/** How long the API server may take to show this pod, in milliseconds. */
const timeoutMs = 5000

/**
 * How label keys are written on the host: as `configured`, else by the image tag of the syncer's container in this
 * pod, which shows 0.20, else as since 0.21. See `pkg/util/translate/labels.go` @ v0.20.0 and @ v0.21.0 of
 * vcluster. Asks again if the API server is down or busy, because another mode would give all copies other labels.
 */
export async function findLabelMode(options: FindLabelModeOptions): Promise<LabelMode> {
  const { configured, logger } = options
  if (configured !== undefined) return configured
  const image = await syncerImage(options)
  const release = image === undefined ? undefined : releaseOf(image)
  if (release !== undefined) return release < 21 ? 'hashed' : 'reserved'
  const message = 'the vcluster does not tell its label generation; taking the one since 0.21'
  logger.info({ labelMode: 'reserved', ...(image && { image }) }, message)
  return 'reserved'
}

/** The label mode of a session with a vcluster process: from the program, else from the process, else detected. */
export function labelModeOfSession(
  { labelMode, currentNamespace: namespace }: { labelMode?: LabelMode | undefined; currentNamespace: string },
  options: OpenSessionOptions,
  host: Transport,
): Promise<LabelMode> {
  return findLabelMode({ ...options, configured: options.labelMode ?? labelMode, host, namespace })
}

/**
 * The image of the container that vcluster's charts call the syncer; undefined outside a cluster, and if this process
 * may not read the pod.
 */
async function syncerImage({ env, logger, clock, signal, host, namespace }: FindLabelModeOptions) {
  const name = env.POD_NAME || env.HOSTNAME
  if (!env.KUBERNETES_SERVICE_HOST || !name) return undefined
  const client = createClient({ transport: host })
  const pod = `${namespace}/${name}`
  for (let attempt = 0; ; attempt++) {
    try {
      const { spec } = await client.get(pods, { namespace, name }, { signal, timeoutMs })
      return spec?.containers.find((container) => container.name === 'syncer')?.image
    } catch (error) {
      if (isForbidden(error) || isNotFound(error)) {
        logger.warn({ error, pod }, unreadableMessage)
        return undefined
      }
      if (signal.aborted || isRefusal(error)) throw error
      logger.warn({ error, pod }, 'reading this pod for the label generation failed, trying again')
    }
    await sleep(clock, backoffMs(attempt, pauses), signal)
  }
}

/** The minor number of a release 0.x in an image's tag; undefined for tags of another form. */
function releaseOf(image: string): number | undefined {
  const [, minor] = /:v?0\.(\d+)(?:\.\d+)?(?:[-@].*)?$/.exec(image) ?? []
  return minor === undefined ? undefined : Number(minor)
}
