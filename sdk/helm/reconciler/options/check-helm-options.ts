import { checkEachOption, checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import { checkPermissions } from '../../../operator/controller/controller-permission.js'
import { type AnnotationNames, annotationNames } from '../../annotations/annotation-reader.js'
import { policyTypes } from '../../policy/release-policy.js'
import type { IgnoredDrift } from '../objects/ignored-fields.js'
import type { HelmControllerOptions } from './options.js'

const annotationTypes = Object.fromEntries(
  Object.keys(annotationNames).map((name) => [name, 'any']),
) as OptionTypes<AnnotationNames>

/** The options of `helmController`. */
export const helmOptionTypes: OptionTypes<HelmControllerOptions> = {
  resource: 'object',
  chart: 'object',
  definition: 'object',
  name: 'any',
  cluster: 'any',
  target: 'any',
  targets: 'any',
  renderer: 'object',
  translateValues: 'any',
  mapValues: 'any',
  overrides: 'any',
  selector: 'object',
  watchDependentResources: 'any',
  reconcilePeriodMs: 'any',
  maxConcurrentReconciles: 'any',
  maxHistory: 'any',
  releaseName: 'any',
  targetNamespace: 'any',
  createNamespace: 'any',
  virtualNames: 'any',
  adopt: 'any',
  formerFieldManagers: 'any',
  allow: policyTypes,
  crds: 'any',
  driftDetection: 'any',
  ignoreDrift: 'any',
  onForeignRevision: 'any',
  statusManifest: 'any',
  wait: 'any',
  onFailure: 'any',
  retryFailedMs: 'any',
  paused: 'any',
  preHooks: 'any',
  postHooks: 'any',
  preUninstallHooks: 'any',
  postUninstallHooks: 'any',
  uninstallTimeoutMs: 'any',
  modifyObjects: 'any',
  repeatedEnv: 'any',
  doubtfulValues: 'any',
  takeOwnership: 'any',
  abandonAfterMs: 'any',
  timeoutMs: 'any',
  pendingGraceMs: 'any',
  annotations: annotationTypes,
  permissionValues: 'any',
  permissions: 'any',
}

const driftTypes: OptionTypes<IgnoredDrift> = { kind: 'any', name: 'any', paths: 'any' }

/** Throws a `TypeError` for a misspelt option of `helmController`, also below `allow`, `annotations` and in lists. */
export function checkHelmOptions(options: Pick<HelmControllerOptions, 'ignoreDrift' | 'permissions'>): void {
  checkOptions('helmController', options, helmOptionTypes)
  checkEachOption('helmController', { ignoreDrift: options.ignoreDrift }, driftTypes)
  checkPermissions('helmController', options.permissions)
}
