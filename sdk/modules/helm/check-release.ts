import { formatKey } from '../../kube/key.js'
import { NotReadyError } from '../manager/not-ready-error.js'
import type { HelmCall } from './helm-call.js'
import { releaseOfModule } from './release-of-module.js'

/** The most objects that are named. */
const mostNames = 5

/** Rejects with a {@link NotReadyError} unless all objects of the release of a Module are ready. */
export async function checkRelease(call: HelmCall): Promise<void> {
  const found = await releaseOfModule(call)
  if (!found) throw new NotReadyError('the metadata of the Module names no release')
  const unready = await found.owned.unready()
  if (unready.length === 0) return
  const names = unready.slice(0, mostNames).map(({ resource, key }) => `${resource.kind} ${formatKey(key)}`)
  const more = unready.length > mostNames ? ` and ${unready.length - mostNames} more` : ''
  throw new NotReadyError(`not ready: ${names.join(', ')}${more}`)
}
