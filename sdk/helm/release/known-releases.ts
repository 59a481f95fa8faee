import { createHash } from 'node:crypto'
import type { KubeObject } from '../../engine/kube/object.js'
import { LeastRecent } from '../render/least-recent.js'
import type { RecordedFile } from '../render/renderer.js'
import type { Release } from './release.js'

/** The limit of all remembered records, in characters. Files of charts do not count, because revisions share them. */
const maxCharacters = 2 ** 24
/** The approximate size of the parts of a record other than its manifests, in characters. */
const otherCharacters = 4096

/** A release whose record was read or written. */
export interface KnownRelease {
  readonly release: Release
  /** The size of the record, in bytes, which counts for the budget of all records of a release. */
  readonly bytes: number
}

/** Identifies a state of an object of the API server. */
type Metadata = Pick<KubeObject, 'metadata'>

/**
 * A cache of the releases whose records were read or written last, by the UID and the resourceVersion of their Secrets.
 * A record whose Secret has not changed is not read and unpacked again.
 */
export class KnownReleases {
  readonly #known = new LeastRecent<KnownRelease>(maxCharacters)

  /** The release in a Secret, by its metadata alone. */
  find(secret: Metadata): KnownRelease | undefined {
    return this.#known.get(idOf(secret))
  }

  /** Remembers the release in a Secret. */
  note(secret: Metadata, { release, bytes }: KnownRelease): void {
    const { manifest, hooks } = release
    const hookCharacters = hooks.reduce((sum, hook) => sum + hook.manifest.length, 0)
    this.#known.set(
      idOf(secret),
      { release: withSharedFiles(release), bytes },
      manifest.length + hookCharacters + otherCharacters,
    )
  }
}

const idOf = ({ metadata: { uid = '', resourceVersion = '' } }: Metadata) => `${uid} ${resourceVersion}`

/**
 * Replaces the files of the chart by equal ones of another release that is in memory. All revisions of a chart have the
 * same files, several megabytes for large charts.
 */
function withSharedFiles(release: Release): Release {
  const { chart } = release
  return {
    ...release,
    chart: { ...chart, templates: shareFiles(chart.templates), files: shareFiles(chart.files) },
  }
}

type Files = readonly RecordedFile[]

const filesByDigest = new Map<string, WeakRef<Files>>()
const digests = new WeakMap<Files, string>()
const collectedFiles = new FinalizationRegistry<string>((digest) => {
  if (filesByDigest.get(digest)?.deref() === undefined) filesByDigest.delete(digest)
})

function shareFiles(list: Files): Files {
  if (list.length === 0 || digests.has(list)) return list
  const digest = digestOf(list)
  const files = filesByDigest.get(digest)?.deref()
  if (files) return files
  filesByDigest.set(digest, new WeakRef(list))
  digests.set(list, digest)
  collectedFiles.register(list, digest)
  return list
}

function digestOf(list: Files): string {
  const hash = createHash('sha256')
  for (const { name, data } of list) hash.update(`${name.length} ${data.length} ${name}${data}`)
  return hash.digest('base64')
}
