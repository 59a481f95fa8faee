import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../machine/make-folder.js'

/** The file in the folder of `dev` with the address of the plugin's inspector. */
export const inspectorFile = 'inspector'

/** The address of the inspector of the program that `dev` runs. */
export interface InspectorAddress {
  /** Undefined if the user's environment sets the address, or nothing is served. */
  readonly url: string | undefined
}

/** Writes the address to a file for `vcluster-plugin why`. */
export async function writeInspectorAddress(dir: string, { url }: InspectorAddress): Promise<void> {
  if (url === undefined) return
  await makeFolder(dir)
  await writeFile(join(dir, inspectorFile), `${url}\n`)
}
