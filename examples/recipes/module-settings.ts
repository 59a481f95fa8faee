import { configMaps } from 'vcluster-plugin-sdk'
import { defineProgram, type Manager, moduleControllers } from 'vcluster-plugin-sdk/modules'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const settings = (name: string, level: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { level },
})

/** Keeps a ConfigMap. A change of the configuration is an upgrade, in place of an uninstallation. */
const settingsProgram = defineProgram({
  name: 'settings',
  version: '1.0.0',
  sdk: '>=0.1.0 <1',
  config: z.object({ name: z.string(), level: z.enum(['info', 'debug']).default('info') }),
  newManager: ({ cluster, config: { name, level } }): Manager => {
    const apply = async ({ signal }: { signal: AbortSignal }) => {
      await cluster.apply([settings(name, level)], { signal })
    }
    return {
      install: apply,
      upgrade: apply,
      uninstall: ({ signal }) => cluster.delete([settings(name, level)], { signal }),
      // Nothing runs, so there is nothing to put to sleep.
      async sleep() {},
      async resume() {},
    }
  },
})

export function register(operator: Operator): void {
  const permissions = [{ resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'] }]
  operator.register(...moduleControllers({ builtIn: { Settings: settingsProgram }, permissions }))
}
