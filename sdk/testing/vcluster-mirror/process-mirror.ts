import type { Side } from '../../context/register-context.js'
import type { Clock } from '../../observe/clock.js'
import type { Logger } from '../../observe/logger.js'
import { noMetrics } from '../../observe/metrics.js'
import { openTransport } from '../../plugin/open-transport.js'
import type { ClientHook } from '../../remote/proto/gen/v1.js'
import { loadKubeconfig } from '../../transport/kubeconfig.js'
import type { Transport } from '../../transport/transport.js'
import { askHook } from '../ask-hook.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { type MirroredKind, mirroredKindNames } from './mirrored-kinds.js'
import { type Mirror, openMirror } from './open-mirror.js'
import type { HookedPlugin } from './plugin-hooks.js'

/** What a {@link ProcessMirror} is made of. */
export interface ProcessMirrorOptions {
  vclusterName: string
  targetNamespace: string
  version: VClusterVersion
  /** Which kinds; by default all of them, as soon as there are hooks. */
  mirrors?: readonly MirroredKind[] | (() => Promise<readonly MirroredKind[]>)
  all: boolean
  /** Kubeconfig texts. */
  virtualKubeconfig: string
  hostKubeconfig: string
  logger: Logger
  clock: Clock
}

type Registered = Iterable<{ name: string; address: string; clientHooks: readonly ClientHook[] }>

/** The syncers of a stand-in vcluster process, which call hooks by gRPC. */
export class ProcessMirror {
  readonly #options: ProcessMirrorOptions
  #mirror: Promise<Mirror | undefined> | undefined

  constructor(options: ProcessMirrorOptions) {
    this.#options = options
  }

  /** Starts them unless they run. What keeps them from it is logged: a process that leads cannot go back. */
  async start(registered: () => Registered): Promise<void> {
    const { mirrors, logger } = this.#options
    if (this.#mirror || (!mirrors && ![...registered()].some(hasHooks))) return
    this.#mirror = this.#open(registered)
    try {
      const mirror = await this.#mirror
      // The next registration may bring hooks.
      if (mirror === undefined) this.#mirror = undefined
      await mirror?.start()
    } catch (error) {
      logger.error({ error }, 'the syncers of the vcluster process ended')
    }
  }

  /** Ends them; {@link start} begins anew. */
  async stop(): Promise<void> {
    const mirror = this.#mirror
    this.#mirror = undefined
    // Whoever started them was told what kept them from starting.
    const running = await mirror?.catch(() => undefined)
    await running?.stop()
  }

  async #open(registered: () => Registered): Promise<Mirror | undefined> {
    const { mirrors = mirroredKindNames } = this.#options
    const kinds = typeof mirrors === 'function' ? await mirrors() : mirrors
    if (kinds.length === 0) return undefined
    const plugins = () => hookedPlugins(registered())
    return openMirror({ ...this.#options, ...(await this.#openClusters()), kinds, plugins })
  }

  async #openClusters(): Promise<Record<Side, Transport>> {
    const { virtualKubeconfig, hostKubeconfig, ...observed } = this.#options
    const open = async (side: Side, text: string) => {
      const kubeconfig = await loadKubeconfig({ text, source: `the ${side} kubeconfig` })
      return openTransport(side, kubeconfig, { ...observed, pluginName: 'vcluster', metrics: noMetrics })
    }
    return { virtual: await open('virtual', virtualKubeconfig), host: await open('host', hostKubeconfig) }
  }
}

const hasHooks = ({ clientHooks }: { clientHooks: readonly ClientHook[] }) => clientHooks.length > 0

function* hookedPlugins(registered: Registered): Iterable<HookedPlugin> {
  for (const { name, address, clientHooks } of registered)
    yield { name, clientHooks, ask: (request) => askHook(address, request) }
}
