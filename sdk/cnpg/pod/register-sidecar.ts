import { pods } from '../../engine/kube/builtin.js'
import { jobs } from '../../engine/kube/builtin-workloads.js'
import { PluginError } from '../../engine/kube/error.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import type { HookRegistry } from '../hook-registry.js'
import { hasWalHooks } from '../hooks/wal-hooks.js'
import { addSidecar, type PodContainer, type SidecarOptions } from './sidecar.js'
import { socketProbe } from './socket-probe.js'

const optionTypes: OptionTypes<SidecarOptions> = { instances: 'any', jobs: 'any', sharesPostgres: 'any' }

/** Registers the hooks that add a sidecar, and declares that the plugin serves there. */
export function registerSidecar<P>(
  registry: HookRegistry<P>,
  addition: PodContainer,
  sidecarOptions: SidecarOptions = {},
): void {
  checkOptions('plugin.sidecar', sidecarOptions, optionTypes)
  const { instances = true, jobs: inJobs = false, sharesPostgres } = sidecarOptions
  const container = { startupProbe: socketProbe(registry.name), ...addition }
  if (!(instances || inJobs))
    throw new PluginError(
      'INVALID_REGISTRATION',
      `the sidecar ${container.name} is neither for instances nor for Jobs: set one of them to true`,
    )
  // Evaluated in each call, because further hooks may be registered later.
  const options = () => ({ sharesPostgres: sharesPostgres ?? readsFiles(registry) })
  if (instances) {
    registry.sidecars.instances = true
    registry.addObjects(pods, { instance: (_ctx, pod) => addSidecar(pod, container, options()) })
  }
  if (inJobs) {
    registry.sidecars.jobs = true
    // The template of a Job cannot be changed once the Job exists.
    registry.addObjects(jobs, {
      create(_ctx, { spec }) {
        if (spec) addSidecar(spec.template, container, options())
      },
    })
  }
}

/** Whether the hooks get requests with files of Postgres, so that the sidecar needs the same volumes. */
const readsFiles = <P>({ wal, backups, restoreJob }: HookRegistry<P>): boolean =>
  hasWalHooks(wal) || backups.backup !== undefined || restoreJob !== undefined
