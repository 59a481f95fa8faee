import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectorPath } from '../../sdk/engine/inspector/model.js'
import { makeFolder } from '../machine/make-folder.js'

/** The file in the folder of `dev` with the address of the plugin's inspector. */
export const inspectorFile = 'inspector'

/** The address of the inspector of the plugin that `dev` runs. */
export interface InspectorAddress {
  /** Undefined if the user's environment sets the address. */
  readonly url: string | undefined
  /** The environment that makes the plugin serve the inspector at this address. */
  readonly env: Readonly<Record<string, string>>
}

/** One address for all of the plugin's processes, so that an open page survives a restart. */
export function inspectorAddress(env: NodeJS.ProcessEnv, port: number): InspectorAddress {
  const own = { VCLUSTER_PLUGIN_INSPECT: '1' }
  if (env.METRICS_ADDRESS !== undefined) return { url: undefined, env: own }
  const address = `127.0.0.1:${port}`
  return { url: `http://${address}${inspectorPath}`, env: { ...own, METRICS_ADDRESS: address } }
}

/** Writes the address to a file for `vcluster-plugin why`. */
export async function writeInspectorAddress(dir: string, { url }: InspectorAddress): Promise<void> {
  if (url === undefined) return
  await makeFolder(dir)
  await writeFile(join(dir, inspectorFile), `${url}\n`)
}
