import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { CarSyncer } from '../crd-sync/car-syncer.js'
import { PodHook } from '../hooks/pod-hook.js'
import { ServiceHook } from '../hooks/service-hook.js'
import { configOf } from './config.js'
import { PodInterceptor } from './pod-interceptor.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  const config = configOf(ctx)
  if (config.cars) plugin.register(new CarSyncer(ctx))
  plugin.register(new PodHook())
  plugin.register(new ServiceHook())
  plugin.register(new PodInterceptor(config))
}
