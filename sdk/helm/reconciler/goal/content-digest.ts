import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { RenderedChart } from '../../render/renderer.js'
import type { ReleaseRun } from '../run/release-run.js'
import { hookParts } from './hook-parts.js'

/**
 * A digest of the objects and hooks of a release. Comments, the order of members and the last runs of hooks do not
 * matter, as in `isInStep`.
 */
export async function contentDigest(
  { name, namespace }: ReleaseRun['release'],
  { objects, hooks }: Pick<RenderedChart, 'objects' | 'hooks'>,
): Promise<string> {
  const parts = [namespace, name, objects.map(({ object }) => object), await hookParts(hooks)]
  return `sha256:${sha256Hex(canonicalJson(parts))}`
}
