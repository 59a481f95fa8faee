// The index.yaml of a chart repository.
import { PermanentError } from '../../engine/kube/error.js'
import { isRange, newestVersion } from '../program/version-range.js'
import { type IndexedChart, readEntries } from './index-entries.js'
import { entryOf } from './index-entry.js'

/** Whether the digest of an index is one that an archive can be compared with. */
export const isArchiveDigest = (digest: string | undefined): digest is string =>
  digest !== undefined && /^(?:sha256:)?[0-9a-f]{64}$/i.test(digest)

/**
 * Finds a chart in an index: the exact version, the newest version in a range, or without either the newest version.
 */
export async function findChart(
  index: string,
  { chart, version }: { readonly chart: string; readonly version?: string | undefined },
): Promise<IndexedChart> {
  const { usable, problem } = readEntries(await entryOf(index, chart), chart, version)
  const versions = usable.map((one) => one.version)
  const wanted =
    version !== undefined && versions.includes(version) ? version : newestVersion(versions, version)
  if (wanted === undefined) checkRange(version)
  const entry = usable.find((one) => one.version === wanted)
  if (entry) return entry
  throw new Error(
    `the repository has no version ${JSON.stringify(version ?? 'without a pre-release')} of the chart ${chart}; it has ${listVersions(versions)}${problem === undefined ? '' : `; ${problem}`}`,
  )
}

/** Throws a `PermanentError` for a text that is neither a version nor a range. */
export function checkRange(version: string | undefined): void {
  if (version === undefined || isRange(version)) return
  throw new PermanentError(
    `${JSON.stringify(version.slice(0, 200))} is neither a version of a chart nor a range of versions; write one such as "1.2.3" or ">= 1.2, < 2"`,
  )
}

const listVersions = (versions: readonly string[]) =>
  versions.slice(0, 5).join(', ') + (versions.length > 5 ? ` and ${versions.length - 5} more` : '')
