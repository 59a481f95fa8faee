import { createHash } from 'node:crypto'
import type { KubeObject } from '../../engine/kube/object.js'
import { LeastRecent } from '../render/least-recent.js'
import type { RecordedFile } from '../render/renderer.js'
import type { Release } from './release.js'

/** The most that is kept, in characters of records, without the files of charts, which all revisions share. */
const mostCharacters = 2 ** 24
/** A record also has parts besides its manifest. */
const leastCharacters = 4096

/** A record that was read or written. */
export interface KnownRelease {
  readonly release: Release
  /** The size that it takes of the budget of a release, in bytes. */
  readonly bytes: number
}

/** Identifies a state of an object of the API server. */
type Metadata = Pick<KubeObject, 'metadata'>

/**
 * The records that were read or written last. One whose Secret has not changed since is not transferred and unpacked
 * again.
 */
export class KnownReleases {
  readonly #known = new LeastRecent<KnownRelease>(mostCharacters)

  /** The release in a Secret, by its metadata alone. */
  find(secret: Metadata): KnownRelease | undefined {
    return this.#known.get(idOf(secret))
  }

  /** Remembers the release in a Secret. */
  note(secret: Metadata, { release, bytes }: KnownRelease): void {
    const { manifest, hooks } = release
    const ofHooks = hooks.reduce((sum, hook) => sum + hook.manifest.length, 0)
    this.#known.set(
      idOf(secret),
      { release: withSharedFiles(release), bytes },
      manifest.length + ofHooks + leastCharacters,
    )
  }
}

const idOf = ({ metadata: { uid = '', resourceVersion = '' } }: Metadata) => `${uid} ${resourceVersion}`

/** Revisions of one chart have equal files, several megabytes for large charts. */
function withSharedFiles(release: Release): Release {
  const { chart } = release
  return { ...release, chart: { ...chart, templates: shared(chart.templates), files: shared(chart.files) } }
}

type Files = readonly RecordedFile[]

const files = new Map<string, WeakRef<Files>>()
const digests = new WeakMap<Files, string>()
const forgotten = new FinalizationRegistry<string>((digest) => {
  if (files.get(digest)?.deref() === undefined) files.delete(digest)
})

function shared(list: Files): Files {
  if (list.length === 0 || digests.has(list)) return list
  const digest = digestOf(list)
  const found = files.get(digest)?.deref()
  if (found) return found
  files.set(digest, new WeakRef(list))
  digests.set(list, digest)
  forgotten.register(list, digest)
  return list
}

function digestOf(list: Files): string {
  const hash = createHash('sha256')
  for (const { name, data } of list) hash.update(`${name.length} ${data.length} ${name}${data}`)
  return hash.digest('base64')
}
