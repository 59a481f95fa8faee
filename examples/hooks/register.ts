import type { Plugin } from 'vcluster-plugin-sdk'
import { PodHook } from './pod-hook.js'
import { SecretHook } from './secret-hook.js'
import { ServiceHook } from './service-hook.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin): void {
  for (const hook of [new PodHook(), new ServiceHook(), new SecretHook()]) plugin.register(hook)
}
