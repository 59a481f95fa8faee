import * as z from 'zod'
import { memberOf } from '../../engine/kube/json-object.js'

const entrySchema = z.looseObject({
  version: z.string(),
  urls: z.tuple([z.string().min(1)], z.string()),
  digest: z.string().nullish(),
})

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

/** An entry of an index that cannot be used. */
interface UnusableEntry {
  readonly version: unknown
  readonly problem: string
}

/** The entries of one chart. */
export interface IndexEntries {
  /** At least one. */
  readonly usable: readonly IndexedChart[]
  readonly unusable: readonly UnusableEntry[]
}

/**
 * Reads the entries of a chart in an index. Entries that cannot be used are set apart, because repositories keep old
 * ones that are never corrected. Throws if none can be used, or there is none.
 */
export function readEntries(value: unknown, chart: string): IndexEntries {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const usable: IndexedChart[] = []
  const unusable: UnusableEntry[] = []
  for (const one of list) {
    const { data, error } = entrySchema.safeParse(one)
    if (data)
      usable.push({
        version: data.version,
        url: data.urls[0],
        digest: data.digest?.toLowerCase() || undefined,
      })
    else unusable.push(describeUnusable(one, error))
  }
  if (usable.length > 0) return { usable, unusable }
  const name = JSON.stringify(chart)
  const [first] = unusable
  if (!first) throw new Error(`the index of the repository has no chart ${name}`)
  throw new Error(`the index of the repository has no usable entry of the chart ${name}: ${first.problem}`)
}

function describeUnusable(entry: unknown, { issues }: z.ZodError): UnusableEntry {
  const version = memberOf(entry, 'version')
  const name = typeof version === 'string' ? version : 'an entry'
  const problems: Record<string, string> = {
    version: `the version of ${name} is not a text; it needs quotes`,
    urls: `the urls of ${name} are not a list of URLs`,
    digest: `the digest of ${name} is not a text`,
  }
  return { version, problem: problems[String(issues[0]?.path[0])] ?? `${name} is not an object` }
}
