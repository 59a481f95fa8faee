import type { Plugin } from 'vcluster-plugin-sdk'
import { PodHook } from './pod-hook.js'
import { SecretHook } from './secret-hook.js'
import { ServiceHook } from './service-hook.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin): void {
  for (const hook of [new PodHook(), new ServiceHook(), new SecretHook()]) plugin.register(hook)
}
