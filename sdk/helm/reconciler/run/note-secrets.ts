import type { Release } from '../../release/release.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedChart } from '../../render/renderer.js'
import type { ReleaseRun } from './release-run.js'

/** Notes the values of Secrets among the objects and hooks of a chart or a record. */
export async function noteSecrets(
  { secretTexts }: ReleaseRun,
  { manifest, hooks, objects }: Pick<Release, 'manifest' | 'hooks'> & Partial<RenderedChart>,
): Promise<void> {
  secretTexts.noteRendered(objects ?? (await objectsOf(manifest)))
  for (const hook of hooks)
    if (hook.kind === 'Secret') secretTexts.noteRendered(await objectsOf(hook.manifest))
}
