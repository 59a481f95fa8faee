import type { RegisteredHooks } from './services/registered-hooks.js'

/**
 * Log messages about hooks that are never called, because the plugin has no sidecar in the Pods that would call them.
 */
export function missingSidecars<P>(hooks: RegisteredHooks<P>): string[] {
  const { sidecars, wal, backups, postgres, metrics, restoreJob } = hooks
  const inInstances = [
    ...(wal.archive || wal.restore ? ['wal'] : []),
    ...(backups.backup ? ['backups'] : []),
    ...(metrics ? ['metrics'] : []),
  ]
  const anywhere = postgres ? ['postgres'] : []
  return [
    ...warning(sidecars.instances ? [] : inInstances, 'Pods of instances: call plugin.sidecar(container)'),
    ...warning(
      sidecars.instances || sidecars.jobs ? [] : anywhere,
      'Pods: call plugin.sidecar(container, { jobs: true })',
    ),
    ...warning(
      sidecars.jobs || !restoreJob ? [] : ['restoreJob'],
      'Pods of Jobs: call plugin.sidecar(container, { jobs: true })',
    ),
  ]
}

const warning = (methods: readonly string[], where: string) =>
  methods.length === 0
    ? []
    : [`the hooks of ${methods.join(', ')} are never called, because the plugin has no sidecar in ${where}`]
