import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectorPath } from '../../sdk/inspector/model.js'
import { makeFolder } from '../machine/make-folder.js'

/** In the folder of `dev`'s files, the address of its plugin's inspector. */
export const inspectorFile = 'inspector'

/** Where the plugin that `dev` runs is looked at. */
export interface InspectorPlace {
  /** Undefined where the user's environment has its own address for the plugin. */
  readonly url: string | undefined
  /** What makes the plugin serve it there. */
  readonly env: Readonly<Record<string, string>>
}

/** One port for all of the plugin's processes, so that a page stays open over a restart. */
export function placeInspector(env: NodeJS.ProcessEnv, port: number): InspectorPlace {
  const own = { VCLUSTER_PLUGIN_INSPECT: '1' }
  if (env.METRICS_ADDRESS !== undefined) return { url: undefined, env: own }
  const address = `127.0.0.1:${port}`
  return { url: `http://${address}${inspectorPath}`, env: { ...own, METRICS_ADDRESS: address } }
}

/** Lets `vcluster-plugin why` find it. */
export async function writeInspectorPlace(dir: string, { url }: InspectorPlace): Promise<void> {
  if (url === undefined) return
  await makeFolder(dir)
  await writeFile(join(dir, inspectorFile), `${url}\n`)
}
