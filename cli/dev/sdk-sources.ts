import { fileURLToPath } from 'node:url'
import { runsFromSources } from '../program/typescript-flags.js'

const folders = ['sdk', 'testing', 'simulator', 'apiserver']

/** The folders with the SDK's sources in a clone, whose changes restart the plugin; none in a package. */
export function sdkSources(): string[] {
  if (!runsFromSources) return []
  return folders.map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
}
