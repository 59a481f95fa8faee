import { recordedObjects } from '../../release/recorded-objects.js'
import type { Release } from '../../release/release.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedChart } from '../../render/renderer.js'
import type { ReleaseRun } from './release-run.js'

/** Notes the values of Secrets among the objects and hooks of a chart or a record. */
export async function noteSecrets(
  { secretTexts }: Pick<ReleaseRun, 'secretTexts'>,
  noted: Release | RenderedChart,
): Promise<void> {
  secretTexts.noteRendered(isRecord(noted) ? await recordedObjects(noted) : noted.objects)
  for (const hook of noted.hooks)
    if (hook.kind === 'Secret') secretTexts.noteRendered(await objectsOf(hook.manifest))
}

/** A record may have any other field, also one of a rendered chart. */
const isRecord = (noted: Release | RenderedChart): noted is Release => 'version' in noted
