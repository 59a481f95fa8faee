import { isJsonObject, memberOf } from '../../engine/kube/json-object.js'

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

/** The entries of one chart. */
export interface IndexEntries {
  /** At least one. */
  readonly usable: readonly IndexedChart[]
  /** Why the entry with the wanted version cannot be used; undefined if there is none that cannot. */
  readonly problem: string | undefined
}

/**
 * Reads the entries of a chart in an index. Entries that cannot be used are left out, because repositories keep old
 * ones that are never corrected. Throws if none can be used, or there is none.
 */
export function readEntries(value: unknown, chart: string, version?: string): IndexEntries {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const usable: IndexedChart[] = []
  let first: string | undefined
  let problem: string | undefined
  for (const one of list) {
    const entry = readEntry(one)
    if (typeof entry !== 'string') {
      usable.push(entry)
      continue
    }
    first ??= problemOf(one, entry)
    if (version !== undefined && memberOf(one, 'version') === version) problem ??= problemOf(one, entry)
  }
  if (usable.length > 0) return { usable, problem }
  const name = JSON.stringify(chart)
  if (first === undefined) throw new Error(`the index of the repository has no chart ${name}`)
  const among = list.length > 1 ? ` among ${list.length}` : ''
  throw new Error(
    `the index of the repository has no usable entry of the chart ${name}${among}: ${problem ?? first}`,
  )
}

/** The part of an entry that is wrong. */
type WrongPart = 'entry' | 'version' | 'urls' | 'digest'

/**
 * The chart of an entry, or what is wrong with the entry. No schema checks it: that would make an error with a stack
 * for each wrong entry, and an index may have a million.
 */
function readEntry(entry: unknown): IndexedChart | WrongPart {
  if (!isJsonObject(entry)) return 'entry'
  const { version, urls, digest } = entry
  if (typeof version !== 'string') return 'version'
  if (!areUrls(urls)) return 'urls'
  if (typeof (digest ?? '') !== 'string') return 'digest'
  return { version, url: urls[0], digest: String(digest ?? '').toLowerCase() || undefined }
}

const areUrls = (urls: unknown): urls is [string, ...string[]] =>
  Array.isArray(urls) && urls.length > 0 && urls[0] !== '' && urls.every((url) => typeof url === 'string')

function problemOf(entry: unknown, wrongPart: WrongPart): string {
  const version = memberOf(entry, 'version')
  const name = typeof version === 'string' ? version : 'an entry'
  const problems: Readonly<Record<WrongPart, string>> = {
    entry: `${name} is not an object`,
    version: `the version of ${name} is not a text; it needs quotes`,
    urls: `the urls of ${name} are not a list of URLs`,
    digest: `the digest of ${name} is not a text`,
  }
  return problems[wrongPart]
}
