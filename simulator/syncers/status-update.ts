import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ObjectPair } from './bidirectional-update.js'
import type { KindRules } from './kind-rules.js'

/** The virtual object with the status of its copy; `undefined` if it already has that status. */
export function withHostStatus<T extends KubeObject>(
  { virtualStatus }: KindRules<T>,
  hooked: ObjectPair<T>,
  written: T,
): T | undefined {
  const status = virtualStatus?.(hooked.host, hooked.virtual)
  const isNone = status === undefined || Object.keys(status).length === 0
  return isNone || jsonEqual(status, statusOf(written)) ? undefined : { ...written, status }
}

const statusOf = (object: KubeObject): unknown => ('status' in object ? object.status : undefined)
