import { objectsOf } from '../render/manifest.js'
import { RenderError } from '../render/render-error.js'
import type { RenderedObject } from '../render/renderer.js'
import type { Release } from './release.js'
import { secretName } from './stored-release.js'
import { unreadableSecret } from './unreadable-release.js'

/** The manifest of a record, and what names its Secret. */
export type RecordedManifest = Pick<Release, 'namespace' | 'name' | 'version' | 'manifest'>

/** The objects of a record. Rejects with `UnreadableReleaseError` that names the Secret if they cannot be read. */
export async function recordedObjects(release: RecordedManifest): Promise<RenderedObject[]> {
  return objectsOf(release.manifest).catch((error: unknown) => {
    if (!(error instanceof RenderError)) throw error
    throw unreadableSecret(`${release.namespace}/${secretName(release)}`, error)
  })
}
