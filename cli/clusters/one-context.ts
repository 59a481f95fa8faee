import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { loadKubeconfig, readKubeconfigFile } from '../../sdk/engine/transport/load-kubeconfig.js'

/** A kubeconfig with only one context. */
export interface OneContext {
  /** The context's name. */
  context: string
  /** YAML without relative paths. */
  text: string
}

/** A context of a kubeconfig file. */
export interface OneContextOptions {
  file: string
  /** Default the file's `current-context`. */
  context?: string | undefined
}

type Fields = Record<string, unknown>
interface Entry extends Fields {
  name: string
}

const clusterPaths = ['certificate-authority']
const userPaths = ['client-certificate', 'client-key', 'tokenFile']

/**
 * The output of `kubectl config view --minify --raw`, with absolute paths. Throws a `PluginError` `KUBECONFIG` if the
 * file cannot be read or does not have the context.
 */
export async function oneContext({ file, context: contextName }: OneContextOptions): Promise<OneContext> {
  // Validates the file; the code below relies on that.
  await loadKubeconfig({ file, ...(contextName !== undefined && { context: contextName }) })
  const { parse, stringify } = await import('yaml')
  const config: Fields = parse(await readKubeconfigFile(file))
  const context = contextName ?? String(config['current-context'])
  const folder = dirname(resolve(file))
  const chosen = findEntry(config, 'contexts', context)
  const { cluster, user } = Object(chosen?.context)
  const clusters = entries(findEntry(config, 'clusters', cluster), (entry) => ({
    cluster: withPaths(entry.cluster, clusterPaths, folder),
  }))
  const users = entries(findEntry(config, 'users', user), (entry) => ({
    user: withCommand(withPaths(entry.user, userPaths, folder), folder),
  }))
  const head = { apiVersion: 'v1', kind: 'Config', 'current-context': context }
  return { context, text: stringify({ ...head, contexts: [chosen], clusters, users }) }
}

function findEntry(config: Fields, list: string, name: unknown): Entry | undefined {
  const all = (config[list] ?? []) as Entry[]
  return all.find((entry) => entry.name === name)
}

function entries(entry: Entry | undefined, changed: (entry: Entry) => Fields): Fields[] {
  return entry ? [{ ...entry, ...changed(entry) }] : []
}

function withPaths(fields: unknown, names: readonly string[], folder: string): Fields {
  const copy: Fields = { ...Object(fields) }
  for (const name of names) {
    const path = copy[name]
    if (typeof path === 'string' && path !== '') copy[name] = resolve(folder, path)
  }
  return copy
}

/**
 * Makes the path of an exec plugin absolute; a name without a slash is found in the PATH. The program that runs it has
 * another home folder, but the exec plugin finds its credentials in the user's.
 */
function withCommand(user: Fields, folder: string): Fields {
  const { exec } = user
  const { command } = Object(exec)
  if (typeof command !== 'string') return user
  const env = [{ name: 'HOME', value: homedir() }, ...(Object(exec).env ?? [])]
  const path = command.includes('/') ? resolve(folder, command) : command
  return { ...user, exec: { ...Object(exec), command: path, env } }
}
