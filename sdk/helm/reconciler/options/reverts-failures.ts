import type { HelmControllerOptions } from './options.js'

/**
 * Whether a failed operation is followed by a rollback or an uninstallation. By default an upgrade is rolled back, and
 * an installation stays as it is, for people to look at it.
 */
export function revertsFailures(
  options: Pick<HelmControllerOptions, 'onFailure'>,
  isInstall: boolean,
): boolean {
  const { onFailure = isInstall ? 'retry' : 'rollback' } = options
  return onFailure === 'uninstall' || (onFailure === 'rollback' && !isInstall)
}
