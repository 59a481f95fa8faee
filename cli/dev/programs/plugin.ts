import type { PluginDescription } from '../../../sdk/vcluster/plugin/description.js'
import type { Mode } from '../../../sdk/vcluster/plugin/mode.js'
import { freePorts } from '../../../simulator/free-ports.js'
import type { ClusterOptions } from '../../clusters/cluster-options.js'
import type { ClusterSource } from '../../clusters/clusters.js'
import { reservePort } from '../../machine/reserve-port.js'
import { CachedDescription } from '../../program/cached-description.js'
import type { DevOptions } from '../dev-options.js'
import { DevSession, type DevSessionOptions } from '../dev-session.js'
import { DevInspector } from '../inspector/dev-inspector.js'
import { type SidecarPorts, sidecarRunner } from '../modes/sidecar.js'
import type { DevProgram, DevProgramOptions } from './dev-program.js'

type PluginOptions = DevOptions & ClusterOptions

/** A plugin of a vcluster, between two clusters. */
export async function pluginProgram(
  { options: givenOptions, plugin, report }: DevProgramOptions,
  described: PluginDescription,
): Promise<DevProgram> {
  const options = { ...givenOptions, mode: givenOptions.mode ?? defaultMode(described) }
  report.setProgram('plugin')
  const vclusterPort = await reservePort(options.vclusterPort, '--vcluster-port')
  // Taken together, and while the other port is reserved, so that all three differ.
  const [hookPort = 0, programPort = 0] = await freePorts(2)
  return new DevSession({
    options,
    plugin,
    report,
    description: new CachedDescription(plugin, described),
    openClusters: sourceOf(options),
    createRunner: await runnerFactory(options, { vclusterPort, hookPort }),
    inspector: await DevInspector.start({ once: options.once, programPort }),
  })
}

/** Only inside its own container does vcluster call interceptors. */
const defaultMode = ({ interceptors }: PluginDescription): Mode => (interceptors ? 'in-syncer' : 'sidecar')

/** Opens real clusters or starts embedded ones; each loads only its own code. */
function sourceOf(options: PluginOptions): ClusterSource {
  const { real } = options
  if (!real)
    return async () => (await import('../../clusters/embedded-clusters.js')).startEmbeddedClusters(options)
  return async (describe) =>
    (await import('../../clusters/real-clusters.js')).openRealClusters(options, { ...real, describe })
}

/** The runner of a mode. The reserved port of the vcluster process is only for sidecars. */
async function runnerFactory(
  { mode }: PluginOptions,
  ports: SidecarPorts,
): Promise<DevSessionOptions['createRunner']> {
  if (mode === 'sidecar') return (runnerOptions) => sidecarRunner(runnerOptions, ports)
  await ports.vclusterPort.release()
  if (mode === 'in-syncer') return (await import('../modes/in-syncer.js')).inSyncerRunner
  return (await import('../modes/standalone.js')).standaloneRunner
}
