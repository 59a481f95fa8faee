// The tags of a chart in a registry are its versions. A tag has no plus sign, so helm writes an underscore.
import { newestVersion } from '../program/version-range.js'
import type { OciRepository } from './oci-repository.js'
import { RegistryError } from './registry-error.js'

/** The tag of a version. */
export const tagOfVersion = (version: string): string => version.replaceAll('+', '_')

/** The version of a tag. */
export const versionOfTag = (tag: string): string => tag.replaceAll('_', '+')

/** The versions of a chart to choose from. */
export interface WantedVersion {
  /** A version or a range; default the newest one without a pre-release. */
  readonly version: string | undefined
  /** The chart in messages. */
  readonly chart: string
}

/**
 * The tag of the wanted version, or of the newest one in a range. Rejects with {@link RegistryError} if there is none.
 */
export async function findTag(repository: OciRepository, { version, chart }: WantedVersion): Promise<string> {
  const versions = (await repository.tags()).map(versionOfTag)
  const found =
    version !== undefined && versions.includes(version) ? version : newestVersion(versions, version)
  if (found !== undefined) return tagOfVersion(found)
  const wanted =
    version === undefined ? 'version without a pre-release' : `version ${JSON.stringify(version)}`
  throw new RegistryError(
    `the registry has no ${wanted} of the chart ${chart}; it has ${versions.slice(0, 5).join(', ') || 'none'}`,
  )
}
