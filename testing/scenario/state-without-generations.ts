import type { ObjectTexts } from '../compare/state-differences.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'
import { endStateOf } from './end-state.js'

/** The objects of all clusters, with each `observedGeneration` set to 0. */
export async function stateWithoutGenerations(
  recorder: Pick<RequestRecorder, 'collections' | 'list' | 'times'>,
): Promise<ObjectTexts> {
  return withoutGenerations(await endStateOf(recorder))
}

/** The objects with each `observedGeneration` set to 0. */
export function withoutGenerations(texts: ObjectTexts): ObjectTexts {
  const masked = [...texts].map(([name, text]): [string, string] => [
    name,
    text.replaceAll(/"observedGeneration":\d+/g, '"observedGeneration":0'),
  ])
  return new Map(masked)
}
