import { PermanentError } from '../../engine/kube/error.js'
import { stringifyJson } from '../../engine/kube/json.js'
import { encodeRelease } from './encode-release.js'
import type { Release } from './release.js'

/** The largest data of a Secret that the API server accepts, in bytes. */
const maxSecretBytes = 2 ** 20

/** A release of this size, in bytes, fits in any case: base64 adds a third, and compression adds at most a little. */
const surelyFitsBytes = 0.7 * maxSecretBytes

/** A part of the chart that a record can be stored without, because no command of Helm needs it. */
export type TrimmedPart = 'files' | 'templates'

/** A release whose manifest, hooks and values do not fit into a Secret; nothing was written. */
export class ReleaseTooLargeError extends PermanentError {
  override readonly name = 'ReleaseTooLargeError'
}

/** A record that fits into a Secret. */
export interface FittingRelease {
  readonly text: string
  /** The release that the text contains. */
  readonly release: Release
  /** The parts that had to be left out. */
  readonly trimmed: readonly TrimmedPart[]
}

const parts: readonly TrimmedPart[] = ['files', 'templates']

/**
 * Encodes a revision so that it fits into a Secret: if necessary without the other files of the chart, and then also
 * without its templates. Rejects with {@link ReleaseTooLargeError} if that is not enough.
 */
export async function fitRelease(release: Release): Promise<FittingRelease> {
  let trimmedRelease = release
  const trimmed: TrimmedPart[] = []
  let text = await encodeRelease(trimmedRelease)
  for (const part of parts) {
    if (text.length <= maxSecretBytes) break
    if (trimmedRelease.chart[part].length === 0) continue
    trimmedRelease = { ...trimmedRelease, chart: { ...trimmedRelease.chart, [part]: [] } }
    trimmed.push(part)
    text = await encodeRelease(trimmedRelease)
  }
  if (text.length > maxSecretBytes) throw tooLargeError(release, text.length)
  return { text, release: trimmedRelease, trimmed }
}

/** As {@link fitRelease}, but a release that fits in any case is not encoded. */
export async function fitIfLarge(release: Release): Promise<Omit<FittingRelease, 'text'>> {
  const bytes = Buffer.byteLength(stringifyJson(release))
  return bytes < surelyFitsBytes ? { release, trimmed: [] } : fitRelease(release)
}

function tooLargeError({ name, version, manifest, hooks }: Release, bytes: number): ReleaseTooLargeError {
  const sizes = `a manifest of ${manifest.length} characters and ${hooks.length} hooks`
  return new ReleaseTooLargeError(
    `revision ${version} of the release ${name} is too large: ${sizes} need ${bytes} bytes, and a Secret holds ` +
      `${maxSecretBytes}; divide the chart, or move data out of its objects`,
  )
}
