import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControllerExplanation } from '../../sdk/engine/inspector/controller-explanation.js'
import type { Explanation } from '../../sdk/engine/inspector/explanation-view.js'
import { inspectorPath, type Overview } from '../../sdk/engine/inspector/model.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { UsageError } from '../terminal/usage-error.js'
import { inspectorFile } from './inspector-address.js'

/** Time limit for the plugin's answer, in milliseconds. */
const timeoutMs = 10_000

/** The inspector's address: the given one, or the one that `dev` wrote. Throws a `PluginError` `NO_INSPECTOR`. */
export async function inspectorUrl({ url, dir }: { url: string | undefined; dir: string }): Promise<string> {
  if (url === undefined) return readAddress(dir)
  const address = /^\w+:\/\//.test(url) ? url : `http://${url}`
  if (!URL.canParse(address))
    throw new UsageError(`--url must be an address such as http://127.0.0.1:9090, got ${JSON.stringify(url)}`)
  return new URL(inspectorPath, address).href
}

async function readAddress(dir: string): Promise<string> {
  try {
    return (await readFile(join(dir, inspectorFile), 'utf8')).trim()
  } catch (cause) {
    const message = `there is no file ${join(dir, inspectorFile)} of a program that dev runs; start vcluster-plugin dev in this folder, name the folder of its files with --dir, or pass the address of a running program with --url`
    throw new PluginError('NO_INSPECTOR', message, { cause })
  }
}

/** An object as a user of kubectl names it. */
export interface ObjectName {
  /** `configmap`, `cm`, `cars.example.com`. */
  kind: string
  name: string
  /** In the virtual cluster; ignored for cluster-scoped kinds. */
  namespace: string
}

/** The plugin's explanations of an object. Throws a `PluginError` `NO_INSPECTOR` if the plugin does not answer. */
export async function askInspector(
  url: string,
  { kind, name, namespace }: ObjectName,
): Promise<(Explanation | ControllerExplanation)[]> {
  const path = `why?${new URLSearchParams({ kind, name, namespace })}`
  return ask(url, path) as Promise<(Explanation | ControllerExplanation)[]>
}

/** The kinds of the program's syncers and controllers. Throws like {@link askInspector}. */
export async function syncedKinds(url: string): Promise<string[]> {
  const { syncers, controllers } = await readOverview(url)
  return [...new Set([...syncers, ...controllers].map(({ kind }) => kind))]
}

/** The overview of the plugin. Throws like {@link askInspector}. */
export async function readOverview(url: string): Promise<Overview> {
  return (await ask(url, 'overview')) as Overview
}

async function ask(url: string, path: string): Promise<unknown> {
  const { status, text } = await read(`${url}api/${path}`, url)
  if (status === 200) return JSON.parse(text)
  const reason = status === 404 ? 'its inspector is off; set VCLUSTER_PLUGIN_INSPECT=1' : errorOf(text)
  throw new PluginError('NO_INSPECTOR', `the program at ${url} answered ${status}: ${reason}`)
}

async function read(address: string, url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    const message = `no program answers at ${url}; start vcluster-plugin dev again, or check that the program runs with VCLUSTER_PLUGIN_INSPECT=1 and with this address in METRICS_ADDRESS`
    throw new PluginError('NO_INSPECTOR', message, { cause })
  }
}

function errorOf(text: string): string {
  try {
    return JSON.parse(text).error ?? text
  } catch {
    // Another program answers at this address.
    return text.slice(0, 200)
  }
}
