// The index.yaml of a chart repository.
import * as z from 'zod'
import { PermanentError } from '../../engine/kube/error.js'
import { isRange, newestVersion } from '../program/version-range.js'
import { entryOf } from './index-entry.js'

const entries = z.array(
  z.looseObject({ version: z.string(), urls: z.array(z.string()).min(1), digest: z.string().optional() }),
)

/** A version of a chart in a repository. */
export interface IndexedChart {
  readonly version: string
  /** The URL of its archive, which may be relative to that of the index. */
  readonly url: string
  /** The SHA-256 of the archive in hex, if the index has it; `sha1:` and the commit for a git repository. */
  readonly digest?: string | undefined
  /** The registry that the index of a repository names; undefined if the archive is at that repository's URL. */
  readonly registry?: { readonly url: string; readonly chart: string } | undefined
}

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
  const parsed = entries.safeParse(await entryOf(index, chart))
  if (!parsed.success) throw new Error(`the index of the repository has no chart ${JSON.stringify(chart)}`)
  const versions = parsed.data.map((one) => one.version)
  const wanted =
    version !== undefined && versions.includes(version) ? version : newestVersion(versions, version)
  if (wanted === undefined) checkRange(version)
  const entry = parsed.data.find((one) => one.version === wanted)
  if (entry) return { version: entry.version, url: entry.urls[0] ?? '', digest: entry.digest }
  throw new Error(
    `the repository has no version ${JSON.stringify(version ?? 'without a pre-release')} of the chart ${chart}; it has ${listVersions(versions)}`,
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
