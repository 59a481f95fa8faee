import { isCrdsFile } from '../crds-files.js'
import { hookOf, isHook } from '../hook-of.js'
import { documentsOf, objectsIn } from '../manifest.js'
import type { ReleaseHook } from '../release-hook.js'
import type { RenderedChart, RenderedObject } from '../renderer.js'

/** The parts of the output of `helm template --include-crds`, where objects, hooks and definitions are in one text. */
export async function splitOutput(
  output: string,
): Promise<Pick<RenderedChart, 'manifest' | 'objects' | 'hooks' | 'crds'>> {
  const objects: RenderedObject[] = []
  const hooks: ReleaseHook[] = []
  const crds: RenderedObject[] = []
  let manifest = ''
  for (const document of documentsOf(output)) {
    const read = await objectsIn(document)
    const [first] = read
    if (!first) continue
    if (isCrdsFile(document.source)) crds.push(...read)
    else if (isHook(first.object)) hooks.push(...hooksOf(first, document.text))
    else {
      objects.push(...read)
      manifest += `---\n${document.text}\n`
    }
  }
  return { manifest, objects, hooks, crds }
}

/** The hook of an object; none for unknown events. Its text is stored without the comment that names its file. */
function hooksOf({ source, object }: RenderedObject, text: string): ReleaseHook[] {
  const hook = hookOf(object, source, text.replace(/^# Source: .*\n/, ''))
  return hook ? [hook] : []
}
