import { addressProblem, whatOf } from './address-problem.js'
import { readHook } from './read-hook.js'
import { RenderError } from './render-error.js'
import type { RenderedChart } from './renderer.js'

/**
 * Rejects with `RenderError` for an object whose apiVersion, kind, namespace or name no API server has: they become
 * parts of request paths, and templates print text of users. Hooks of the event `test` never run, and are not checked.
 */
export async function checkAddressable({ objects, hooks, crds }: RenderedChart): Promise<void> {
  const running = hooks.filter(({ events }) => events.some((event) => event !== 'test'))
  const ofHooks = await Promise.all(running.map(readHook))
  for (const { source, object } of [...objects, ...ofHooks.flat(), ...crds]) {
    const problem = addressProblem(object)
    if (problem) throw new RenderError('RenderError', `${source} renders to ${whatOf(object)} ${problem}`)
  }
}
