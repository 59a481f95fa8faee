import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import * as z from 'zod'
import type { RuleTable } from '../../sdk/vcluster/hook/rule-table.js'
import { freePort } from '../free-ports.js'
import type { HookedKind } from '../hook-call.js'
import type { PluginProgram } from './connected-program.js'
import { initializePayload } from './initialize-payload.js'
import type { Route } from './intercept.js'
import type { VClusterWithPluginsOptions } from './vcluster-with-plugins-options.js'

/** A plugin as the vcluster process knows it. */
export interface LoadedPlugin {
  /** The name of its folder. */
  readonly name: string
  readonly program: PluginProgram
  readonly clientHooks: readonly HookedKind[]
  /** The port of its interceptors. */
  readonly port: number
}

const texts = z.array(z.string()).default([])
const ruleSchema = z.object({
  apiGroups: texts,
  resources: texts,
  resourceNames: texts,
  nonResourceURLs: texts,
  verbs: texts,
})

const pluginConfigSchema = z.object({
  clientHooks: z
    .array(
      z.object({
        apiVersion: z.string().default(''),
        kind: z.string().default(''),
        types: texts,
      }),
    )
    .default([]),
  interceptors: z.record(z.string(), z.array(ruleSchema)).default({}),
})

/** Sends a program its configuration, and reads its hooks and interceptors. Rejects with vcluster's error. */
export async function loadPlugin(
  program: PluginProgram,
  folder: string,
  options: VClusterWithPluginsOptions & { rules: RuleTable<Route> },
): Promise<LoadedPlugin> {
  const port = await freePort()
  const plugin = { name: basename(folder), program, port }
  await program.initialize(await payloadFor(folder, port, options)).catch((cause) => {
    const lastLine = program.lines.at(-1)
    throw new Error(
      `error starting plugin ${folder}: ${cause.message}${lastLine ? `; it last said: ${lastLine}` : ''}`,
      {
        cause,
      },
    )
  })
  const { clientHooks, interceptors } = pluginConfigSchema.parse(JSON.parse(await program.getPluginConfig()))
  for (const { apiVersion, kind } of clientHooks) {
    if (apiVersion === '') throw new Error(`api version is empty in plugin ${folder} hook`)
    if (kind === '') throw new Error(`kind is empty in plugin ${folder} hook`)
  }
  for (const [name, all] of Object.entries(options.version === '0.19' ? {} : interceptors)) {
    for (const rule of all) {
      const problem = options.rules.add(rule, { name, port })
      if (problem !== undefined) throw new Error(`error adding interceptor for plugin ${folder}: ${problem}`)
    }
  }
  return { ...plugin, clientHooks }
}

async function payloadFor(
  workingDir: string,
  port: number,
  options: VClusterWithPluginsOptions,
): Promise<string> {
  const { name = 'vcluster', version = '0.36', hostKubeconfig, virtualKubeconfigFile } = options
  const { currentNamespace = `vcluster-${name}`, targetNamespace = currentNamespace } = options
  return initializePayload(version, {
    name,
    hostKubeconfig,
    currentNamespace,
    targetNamespace,
    port,
    virtualKubeconfigFile: resolve(virtualKubeconfigFile),
    syncerKubeconfig: await readFile(virtualKubeconfigFile, 'utf8'),
    workingDir,
  })
}
