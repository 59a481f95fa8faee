import { deployedOf } from '../../release/history.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { HelmControllerOptions } from '../options/options.js'

/**
 * The revision that a release is rolled back to when an installation or an upgrade fails; 0 if it is uninstalled,
 * undefined if it stays as it is. By default an upgrade is rolled back, and a failed installation stays for inspection.
 */
export function revertTarget(
  options: Pick<HelmControllerOptions, 'onFailure'>,
  { isInstall, revisions }: { readonly isInstall: boolean; readonly revisions: readonly StoredRelease[] },
): number | undefined {
  const { onFailure = isInstall ? 'retry' : 'rollback' } = options
  if (onFailure === 'retry' || (isInstall && onFailure === 'rollback')) return undefined
  return isInstall ? 0 : deployedOf(revisions)?.release.version
}
