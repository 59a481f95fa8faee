import type { Inspected } from '../../engine/inspector/inspected.js'
import { isInspectedController } from '../../engine/inspector/inspected-controller.js'
import { leadershipView, shardView } from '../../engine/inspector/leadership-view.js'
import type { Manager } from '../../engine/manager/manager.js'
import { ClientHook } from '../hook/client-hook.js'
import { Interceptor } from '../hook/interceptor.js'
import { isSyncer } from '../syncer/reconcile/run-syncer.js'
import type { Mode } from './mode.js'
import type { Registrations } from './registrations.js'
import type { Wiring } from './wire.js'

/** Options of {@link inspectedPlugin}. */
export interface InspectedPluginOptions {
  manager: Manager
  registered: Registrations
  mode: Mode
}

/** The inspector's view of a plugin; everything is read on request. */
export function inspectedPlugin(
  { ctx, virtual, host }: Wiring,
  { manager, registered, mode }: InspectedPluginOptions,
): Inspected {
  const { pluginName: name, vclusterName, targetNamespace, currentNamespace, labelMode } = ctx
  return {
    clock: ctx.clock,
    facts: { name, mode, vclusterName, targetNamespace, currentNamespace, labelMode },
    isRunning: () => manager.isRunning,
    leadership: () => leadershipView(manager.leadership, ctx.clock, manager.isRunning),
    syncers: () => manager.controllers.running.filter(isSyncer).map((running) => ({ running, ctx })),
    controllers: () => manager.controllers.running.filter(isInspectedController),
    hooks: () => registered.of(ClientHook),
    interceptors: () => registered.of(Interceptor),
    progress: () => manager.progress.view(),
    stores: () => [...virtual.watched, ...host.watched],
    shardOf: (key) => shardView(manager.leadership ?? {}, key),
    otherNames: (resource) => virtual.otherNames(resource),
  }
}
