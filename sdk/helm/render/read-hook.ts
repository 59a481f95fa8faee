import { addressProblem, whatOf } from './address-problem.js'
import { objectsOf } from './manifest.js'
import type { ReleaseHook } from './release-hook.js'
import { RenderError } from './render-error.js'
import type { RenderedObject } from './renderer.js'

/**
 * The objects of a hook: one, or the members of a list. Rejects with `RenderError` if a hook has no name or kind, or if
 * no API server accepts them: such a hook could never run.
 */
export async function readHook({ path, kind, name, manifest }: ReleaseHook): Promise<RenderedObject[]> {
  const objects = await objectsOf(manifest).catch((error: unknown) => {
    if (!(error instanceof RenderError)) throw error
    const message = `${path}: the hook ${kind} ${name || 'without a name'} cannot run: it${error.message}`
    throw new RenderError('RenderError', message, { cause: error })
  })
  for (const { object } of objects) {
    const problem = addressProblem(object)
    if (problem) throw new RenderError('RenderError', `${path} renders to ${whatOf(object)} ${problem}`)
  }
  return objects.map(({ object }) => ({ source: path, object }))
}
