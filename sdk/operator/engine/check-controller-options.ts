import type { KubeObject } from '../../engine/kube/object.js'
import { checkEachOption, checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { checkPermissions } from '../controller/controller-permission.js'
import type { ControllerOptions } from '../controller/definition.js'
import type { Effect } from '../effect/effect.js'

/** The options of a controller. */
export const controllerOptionTypes: OptionTypes<ControllerOptions<KubeObject>> = {
  name: 'any',
  cluster: 'any',
  namespaces: 'any',
  labelSelector: 'any',
  fieldSelector: 'any',
  formerFieldManagers: 'any',
  owns: 'any',
  watches: 'any',
  predicate: 'any',
  everyMs: 'any',
  resyncMs: 'any',
  triggers$: 'any',
  permissions: 'any',
  concurrency: 'any',
  serializeBy: 'any',
  maxRunsPerSecond: 'any',
  runLimitMs: 'any',
  shared: 'any',
  statusFields: 'any',
  finalizer: 'any',
  ownedKindsHint: 'any',
  conditions: 'any',
  effects: 'object',
  reconcile: 'any',
  finalize: 'any',
  deleted: 'any',
}

const effectTypes: OptionTypes<Effect<KubeObject>> = {
  keyed: 'any',
  token: 'any',
  find: 'any',
  create: 'any',
  update: 'any',
  remove: 'any',
}

/** Throws a `TypeError` for a misspelt option of a controller, of its effects or of its permissions. */
export function checkControllerOptions(
  name: string,
  options: { readonly effects?: unknown; readonly permissions?: unknown },
): void {
  const user = `controller ${name}`
  checkOptions(user, options, controllerOptionTypes)
  checkEachOption(user, { effects: options.effects }, effectTypes)
  checkPermissions(user, options.permissions)
}
